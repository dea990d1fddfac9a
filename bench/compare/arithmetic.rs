//! The arithmetic of the comparison. Knows nothing of engines, so that tests can include it.

/// Over how many iterations a branching factor is taken, at most.
const BRANCHING_ITERATIONS: u32 = 6;

/// An iteration that a search completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// Its depth, in plies.
    pub depth: u32,
    /// Nodes from the beginning of the search to the end of this iteration.
    pub nodes: u64,
}

/// The branching factor of a search: by how much the nodes grow from one iteration to the next.
///
/// With `n(d)` the nodes that the search had spent in all when it completed depth `d`, and `D` the
/// last depth, it is the `k`-th root of `n(D) / n(D - k)`, which is the geometric mean of
/// `n(d) / n(d - 1)` over the last `k` iterations. `k` is 6, or less if the search has fewer.
///
/// `iterations` ascend. `None` if there are fewer than two, or the first counts no nodes.
pub fn branching_factor(iterations: &[Iteration]) -> Option<f64> {
    let last = iterations.last()?;
    let first = iterations
        .iter()
        .find(|iteration| iteration.depth + BRANCHING_ITERATIONS >= last.depth)?;
    if first.depth == last.depth || first.nodes == 0 {
        return None;
    }
    let growth = last.nodes as f64 / first.nodes as f64;
    Some(growth.powf(1.0 / f64::from(last.depth - first.depth)))
}

/// The median; `None` of nothing.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = *values.get(half)?;
    match values.len() % 2 {
        0 => Some(values[half - 1].midpoint(upper)),
        _ => Some(upper),
    }
}

/// A geometric mean and how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeometricMean {
    /// The mean.
    pub value: f64,
    /// The standard error of its logarithm: the standard deviation of the logarithms by the square
    /// root of their number. `None` of a single value, which tells nothing about its error.
    pub log_error: Option<f64>,
}

impl GeometricMean {
    /// The mean of `values`, which are positive; `None` of nothing.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<GeometricMean> {
        let logarithms: Vec<f64> = values.into_iter().map(f64::ln).collect();
        if logarithms.is_empty() {
            return None;
        }
        let count = logarithms.len() as f64;
        let mean = logarithms.iter().sum::<f64>() / count;
        let squares: f64 = logarithms.iter().map(|value| (value - mean).powi(2)).sum();
        Some(GeometricMean {
            value: mean.exp(),
            log_error: (count > 1.0).then(|| (squares / (count - 1.0) / count).sqrt()),
        })
    }
}
