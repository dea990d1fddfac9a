mod board;
mod rules;
mod tables;

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let rules = rules::Rules::parse(&a[1]).unwrap();
    let t = std::time::Instant::now();
    let r = tables::Tables::build(rules, a[2].parse().unwrap(), 2, |slice| {
        let (c, l) = slice.count();
        println!(
            "{}: {} won, {} drawn, {} lost, longest {l} {:.1?}",
            slice.name(),
            c[0],
            c[1],
            c[2],
            t.elapsed()
        );
    });
    if let Err(e) = r {
        println!("{e}")
    }
}
