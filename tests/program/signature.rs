//! The signature of the search, in every build that is tested.

use vato_engine::engine::Bench;

use crate::support::command_line::stdout;

#[test]
fn the_benchmark_counts_the_signature() {
    let bench = |(evaluation, signature): (&'static str, u64)| {
        let text = stdout(&["bench", "--evaluation", evaluation]);
        let last = text.lines().last().expect("a line");
        let start = format!("{signature} nodes ");
        assert!(
            last.starts_with(&start),
            "{evaluation}: {last}, not {signature}"
        );
    };
    std::thread::scope(|scope| {
        for signature in Bench::SIGNATURES {
            scope.spawn(move || bench(signature));
        }
    });
}
