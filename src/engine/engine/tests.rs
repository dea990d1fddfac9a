use std::sync::mpsc::Receiver;
use std::time::Duration;

use super::*;
use crate::search::SearchSettings;
use crate::tablebase::TableFolders;

/// Result of some work, by an engine with or without a thread.
fn outcome(
    engine: &mut Engine,
    work: impl FnOnce(&mut Engine, Box<dyn FnMut(Event) + Send>),
) -> Result<Done, String> {
    let (events, inbox) = channel();
    work(engine, Box::new(move |event| drop(events.send(event))));
    done(&inbox)
}

fn done(inbox: &Receiver<Event>) -> Result<Done, String> {
    inbox
        .iter()
        .find_map(|event| match event {
            Event::Done(done) => Some(done),
            _ => None,
        })
        .expect("every work has an end")
}

fn go(engine: &mut Engine) -> Result<Done, String> {
    let limits = Limits {
        depth: Some(2),
        ..Limits::default()
    };
    outcome(engine, |engine, sink| {
        engine.go(limits, Arc::default(), sink);
    })
}

fn set(engine: &mut Engine, name: &str, value: &str) -> Result<Done, String> {
    outcome(engine, |engine, mut sink| {
        let (done, inbox) = channel();
        let passed = move |event| drop(done.send(event));
        match engine.set_option(name, Some(value), passed) {
            Ok(set) if set.is_pending => inbox.iter().for_each(sink),
            Ok(_) => sink(Event::Done(Ok(Done::Ready))),
            Err(error) => sink(Event::Done(Err(error.to_string()))),
        }
    })
}

/// One engine without a thread, and one with a thread.
fn engines() -> [Engine; 2] {
    let mut engines = [(); 2].map(|()| Engine::new(Settings::default()));
    engines[1].spawn().expect("a thread");
    engines
}

#[test]
fn work_has_one_end_with_a_thread_and_without() {
    for mut engine in engines() {
        assert!(matches!(set(&mut engine, "hash", "2"), Ok(Done::Ready)));
        assert_eq!(engine.settings().search.hash_mib, 2);
        match go(&mut engine) {
            Ok(Done::Search(result)) => assert!(result.best.is_some()),
            other => panic!("{other:?}"),
        }
        let counts = outcome(&mut engine, |engine, sink| {
            engine.perft(2, Arc::default(), sink);
        });
        match counts {
            Ok(Done::Perft(Some((below, total)))) => assert_eq!((below.len(), total), (5, 39)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_does_not_fit_changes_nothing() {
    for mut engine in engines() {
        for (name, value) in [
            ("Hash", "0"),
            ("No", "1"),
            ("Rules", "chain"),
            ("Book File", "/no/book"),
            ("EvalFile", "/no/network"),
        ] {
            assert!(set(&mut engine, name, value).is_err(), "{name}");
        }
        let settings = engine.settings();
        assert_eq!(settings.search.hash_mib, SearchSettings::DEFAULT_HASH_MIB);
        assert!(settings.book.is_none() && settings.book_files.is_empty());
    }
}

#[test]
fn other_rules_lead_to_their_start() {
    for mut engine in engines() {
        engine.current.set(None, "d3-e3A").expect("legal");
        assert!(set(&mut engine, "Rules", "board=5x5").is_ok());
        assert_eq!(
            engine.current.game().moves().len(),
            1,
            "they are not in force"
        );
        assert!(set(&mut engine, "UCI_Variant", "CUSTOM").is_ok());
        assert_eq!(engine.current.game().moves().len(), 0);
        assert_eq!(*engine.current.game().rules(), engine.settings().rules());
        assert!(matches!(go(&mut engine), Ok(Done::Search(_))));
    }
}

#[test]
fn after_a_panic_the_searcher_is_made_anew() {
    for mut engine in engines() {
        assert!(set(&mut engine, "Hash", "1").is_ok());
        let broken = outcome(&mut engine, |engine, sink| {
            engine.set_up(sink, |_, _, _| panic!("on purpose"));
        });
        assert_eq!(broken.err().as_deref(), Some("internal error: on purpose"));
        assert!(matches!(go(&mut engine), Ok(Done::Search(_))));
        assert_eq!(engine.settings().search.hash_mib, 1);
    }
}

/// A panic beside a prover that would take for ever, and in the thread that tells.
#[test]
fn after_a_panic_the_search_ends_and_that_is_told_last() {
    for mut engine in engines() {
        let limits = Limits {
            mate: Some(99),
            ..Limits::default()
        };
        let (events, inbox) = channel();
        engine.go(limits, Arc::default(), move |event| {
            let is_report = matches!(event, Event::Report(_));
            drop(events.send(event));
            assert!(!is_report, "on purpose");
        });
        let events: Vec<Event> = inbox.iter().collect();
        let (last, earlier) = events.split_last().expect("an end");
        assert!(matches!(last, Event::Done(Err(error)) if error == "internal error: on purpose"));
        assert!(!earlier.iter().any(|event| matches!(event, Event::Done(_))));
        assert!(matches!(go(&mut engine), Ok(Done::Search(_))));
    }
}

/// Options of all kinds, in turn, while a slow change is under way.
#[test]
fn a_slow_change_keeps_newer_settings() {
    let mut engine = Engine::new(Settings::default());
    engine.spawn().expect("a thread");
    let (go_on, wait) = channel::<()>();
    engine.set_up(drop, move |_, _, _| {
        wait.recv().map_err(|error| error.to_string())
    });
    for (name, value) in [
        ("Threads", "2"),
        ("MultiPV", "3"),
        ("Hash", "2"),
        ("UCI_Variant", "custom"),
        ("Book File", "/no/book"),
        ("Rules", "board=5x5"),
        ("EvalFile", "/no/network"),
        ("Evaluation", "classical"),
        ("Hash", "3"),
        ("EvalFile", ""),
        ("Move Overhead", "77"),
        ("Threads", "3"),
        ("TablebaseProbeLimit", "4"),
    ] {
        engine.set_option(name, Some(value), drop).expect("a value");
    }
    engine.new_game(drop);
    assert_eq!(*engine.current.game().rules(), engine.settings().rules());
    let _ = engine.set_option("Skill Level", Some("5"), drop);
    go_on.send(()).expect("it waits");
    // What comes last ends last.
    let last = outcome(&mut engine, |engine, sink| {
        engine.perft(1, Arc::default(), sink);
    });
    assert!(last.is_ok());
    let settings = engine.settings();
    assert_eq!(
        (
            settings.search.threads,
            settings.search.hash_mib,
            settings.multipv
        ),
        (3, 3, 3)
    );
    assert_eq!(settings.move_overhead, Duration::from_millis(77));
    assert_eq!(settings.rules().to_string(), "board=5x5");
    assert_eq!((settings.search.probe.stones, settings.skill.level), (4, 5));
    assert_eq!(
        settings.search.evaluation.kind,
        crate::eval::EvaluationKind::Classical
    );
    assert!(settings.book_files.is_empty() && settings.eval_file.as_os_str().is_empty());
}

/// Whatever the memory of this machine is: this is more.
#[test]
fn a_table_that_does_not_fit_is_made_smaller() {
    for mut engine in engines() {
        let (events, inbox) = channel();
        let told = move |event| drop(events.send(event));
        engine
            .set_option("Hash", Some("1048576"), told)
            .expect("a value");
        let events: Vec<Event> = inbox.iter().collect();
        let is_told = |event: &Event| matches!(event, Event::Error(text) if text.starts_with("no memory for a table of 1048576 MiB: it has "));
        assert!(events.iter().any(is_told), "{events:?}");
        assert!(matches!(events.last(), Some(Event::Done(Ok(_)))));
        assert!(matches!(go(&mut engine), Ok(Done::Search(result)) if result.nodes > 0));
        // A tool is refused what it asks for.
        let mut settings = Settings::default();
        settings.search.hash_mib = 1 << 20;
        assert!(matches!(
            Engine::new(settings).prepare(),
            Err(ResourceError::Memory { .. })
        ));
    }
}

/// Solving them takes longer than such a search may.
#[test]
fn a_search_on_time_does_not_wait_for_tables() {
    let mut engine = Engine::new(Settings {
        tables: Some(TableFiles::of(TableFolders::These(Vec::new()))),
        ..Settings::default()
    });
    let is_solving = |engine: &Engine| engine.shared.core().is_solving();
    assert!(set(&mut engine, "UCI_Variant", "custom").is_ok());
    assert!(!is_solving(&engine), "tables are built in");
    assert!(set(&mut engine, "Rules", "direction=any").is_ok());
    assert!(is_solving(&engine));
    let limits = Limits {
        movetime: Some(Duration::from_millis(1)),
        ..Limits::default()
    };
    let result = outcome(&mut engine, |engine, sink| {
        engine.go(limits, Arc::default(), sink);
    });
    assert!(matches!(result, Ok(Done::Search(_))));
    assert!(go(&mut engine).is_ok());
    assert!(!is_solving(&engine));
    assert!(set(&mut engine, "TablebasePath", "/no/such").is_ok());
    assert!(is_solving(&engine));
    let (events, inbox) = channel();
    engine.get_ready(move |event| drop(events.send(event)));
    let told: Vec<Event> = inbox.iter().collect();
    assert!(matches!(&told[0], Event::Error(error) if error.contains("/no/such")));
}

#[test]
fn what_is_wrong_with_tables_is_told_once() {
    let mut settings = Settings {
        tables: Some(TableFiles::of(TableFolders::Auto)),
        ..Settings::default()
    };
    settings.search.hash_mib = 1;
    let mut engine = Engine::new(settings);
    let complaints = |engine: &mut Engine, name: &str, value: &str| {
        let (events, inbox) = channel();
        let set = engine.set_option(name, Some(value), move |event| drop(events.send(event)));
        set.expect("a value");
        inbox
            .iter()
            .filter(|event| matches!(event, Event::Error(_)))
            .count()
    };
    assert_eq!(complaints(&mut engine, "TablebasePath", "/no/folder"), 1);
    assert_eq!(complaints(&mut engine, "TablebaseCache", "5"), 0);
    assert_eq!(complaints(&mut engine, "UCI_Variant", "dimy"), 0);
    assert_eq!(complaints(&mut engine, "TablebasePath", "/no/folder"), 1);
    assert_eq!(complaints(&mut engine, "TablebasePath", "/no/other"), 1);
}

#[test]
fn an_engine_that_closes_answers_searches_only() {
    let mut engine = Engine::new(Settings::default());
    engine.close();
    assert!(set(&mut engine, "TablebasePath", "/no/folder").is_ok());
    assert!(matches!(go(&mut engine), Ok(Done::Search(_))));
}

#[test]
fn declared_defaults_are_those_of_the_settings() {
    for option in options() {
        let value = match &option.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.clone(),
            OptionKind::Button => continue,
        };
        let mut settings = Settings {
            tables: Some(TableFiles::of(TableFolders::Auto)),
            ..Settings::default()
        };
        let shown = |settings: &Settings| {
            let mut settings = settings.clone();
            settings.skill.set_seed(1);
            format!("{settings:?}")
        };
        let before = shown(&settings);
        options::set(&mut settings, &option.name, Some(&value)).expect("a default fits");
        assert_eq!(before, shown(&settings), "{}", option.name);
    }
}
