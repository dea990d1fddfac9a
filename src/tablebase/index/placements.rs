//! Placements of the small group, up to symmetry.

use super::binomial::{choose, rank};
use super::combinations::for_each_combination;
use super::geometry::Geometry;

/// All placements of a number of stones of one kind, sorted into classes of images of each other.
#[derive(Debug)]
pub(in crate::tablebase) struct Placements {
    /// By number of the placement: the class, and in the lowest three bits the symmetry that makes it
    /// the representative.
    folds: Vec<u32>,
    representatives: Vec<u64>,
    /// How many placements each class has.
    images: Vec<u8>,
}

const SYMMETRY_BITS: u32 = 3;
const UNSEEN: u32 = u32::MAX;

impl Placements {
    pub(super) fn new(geometry: &Geometry, stones: u32) -> Placements {
        let count = choose(geometry.count(), stones) as usize;
        let mut placements = Placements {
            folds: vec![UNSEEN; count],
            representatives: Vec::new(),
            images: Vec::new(),
        };
        let points = Geometry::single_points(geometry.points());
        let mut number = 0;
        for_each_combination(&points, stones, &mut |set| {
            if placements.folds[number] == UNSEEN {
                placements.add_class(geometry, set);
            }
            number += 1;
        });
        placements
    }

    /// The first of its images becomes the representative.
    fn add_class(&mut self, geometry: &Geometry, representative: u64) {
        let class = self.representatives.len() as u32;
        let mut images = 0;
        for symmetry in geometry.symmetries() {
            let image = geometry.image(symmetry, representative);
            let fold = &mut self.folds[rank(image, geometry.points()) as usize];
            if *fold == UNSEEN {
                *fold = class << SYMMETRY_BITS | u32::from(geometry.inverse(symmetry));
                images += 1;
            }
        }
        self.representatives.push(representative);
        self.images.push(images);
    }

    /// How many classes there are.
    pub(in crate::tablebase) fn classes(&self) -> usize {
        self.representatives.len()
    }

    /// The class of a placement, and a symmetry that makes it the class's representative.
    #[inline(always)]
    pub(in crate::tablebase) fn class(&self, geometry: &Geometry, set: u64) -> (u32, u8) {
        let fold = self.folds[rank(set, geometry.points()) as usize];
        (
            fold >> SYMMETRY_BITS,
            (fold & ((1 << SYMMETRY_BITS) - 1)) as u8,
        )
    }

    /// The placement that stands for a class.
    #[inline(always)]
    pub(in crate::tablebase) fn representative(&self, class: u32) -> u64 {
        self.representatives[class as usize]
    }

    /// How many placements a class has.
    pub(in crate::tablebase) fn images(&self, class: u32) -> u8 {
        self.images[class as usize]
    }
}
