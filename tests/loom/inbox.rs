//! The inbox: whoever waits is woken for every line that matters. (In a model waiting does not end by time.)

use loom::sync::Arc;
use loom::thread;

use super::*;

#[test]
fn loom_every_line_arrives_in_order() {
    loom::model(|| {
        let inbox = Arc::new(Inbox::default());
        let pushed = Arc::clone(&inbox);
        let engine = thread::spawn(move || {
            for line in ["readyok", "info depth 1", "bestmove a1-a2"] {
                pushed.push(line.to_owned(), Instant::now());
            }
            pushed.close();
        });
        let stop = StopSignal::new();
        let late = Instant::now() + Duration::from_secs(600);
        let mut lines = Vec::new();
        while let Received::Line(line) = inbox.next(late, &stop) {
            lines.push(line.text);
        }
        assert_eq!(lines, ["readyok", "info depth 1", "bestmove a1-a2"]);
        engine.join().expect("no panic");
    });
}

#[test]
fn loom_the_end_is_told_to_one_who_waits() {
    loom::model(|| {
        let inbox = Arc::new(Inbox::default());
        let closed = Arc::clone(&inbox);
        let engine = thread::spawn(move || closed.close());
        let late = Instant::now() + Duration::from_secs(600);
        let received = inbox.next(late, &StopSignal::new());
        assert!(matches!(received, Received::Closed), "{received:?}");
        engine.join().expect("no panic");
    });
}
