use std::time::Duration;

use super::*;
use crate::search::{SearchLimit, SearchSettings};
use crate::tablebase::TableFolders;

/// An engine with its thread, and what it tells.
fn spawned(settings: Settings) -> (Engine, Receiver<Event>) {
    let (events, inbox) = channel();
    let mut engine = Engine::new(settings);
    let spawned = engine.spawn(move |event| drop(events.send(event)));
    spawned.expect("a thread");
    (engine, inbox)
}

/// The events of the next work, its end last.
fn told(inbox: &Receiver<Event>) -> Vec<Event> {
    let mut told = Vec::new();
    while !matches!(told.last(), Some(Event::Done(_))) {
        told.push(inbox.recv().expect("every work has an end"));
    }
    told
}

fn done(inbox: &Receiver<Event>) -> Result<Done, String> {
    match told(inbox).pop() {
        Some(Event::Done(done)) => done,
        other => panic!("{other:?}"),
    }
}

fn go(engine: &mut Engine, inbox: &Receiver<Event>) -> Result<Done, String> {
    engine.go(SearchLimit::Depth(2).into(), Arc::default());
    done(inbox)
}

fn set(engine: &mut Engine, inbox: &Receiver<Event>, option: &str) -> Result<Done, String> {
    let (name, value) = option.split_once('=').expect("a value");
    match engine.set_option(name, Some(value)) {
        Ok(true) => done(inbox),
        Ok(false) => Ok(Done::Ready),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn work_has_one_end() {
    let (mut engine, inbox) = spawned(Settings::default());
    assert!(matches!(
        set(&mut engine, &inbox, "hash=2"),
        Ok(Done::Ready)
    ));
    assert_eq!(engine.settings().search.hash_mib, 2);
    match go(&mut engine, &inbox) {
        Ok(Done::Search(result)) => assert!(result.best.is_some()),
        other => panic!("{other:?}"),
    }
    engine.perft(2, Arc::default());
    match done(&inbox) {
        Ok(Done::Perft(Some((below, total)))) => assert_eq!((below.len(), total), (5, 39)),
        other => panic!("{other:?}"),
    }
    // One that closes answers searches only.
    engine.close();
    assert!(set(&mut engine, &inbox, "TablebasePath=/no/folder").is_ok());
    assert!(matches!(go(&mut engine, &inbox), Ok(Done::Search(_))));
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let (mut engine, inbox) = spawned(Settings::default());
    for option in [
        "Hash=0",
        "No=1",
        "Rules=chain",
        "Book File=/no/book",
        "EvalFile=/no/network",
    ] {
        assert!(set(&mut engine, &inbox, option).is_err(), "{option}");
    }
    let settings = engine.settings();
    assert_eq!(settings.search.hash_mib, SearchSettings::DEFAULT_HASH_MIB);
    assert!(settings.book.is_none() && settings.book_files.is_empty());
}

#[test]
fn other_rules_lead_to_their_start() {
    let (mut engine, inbox) = spawned(Settings::default());
    engine.current.set(None, "d3-e3A").expect("legal");
    assert!(set(&mut engine, &inbox, "Rules=board=5x5").is_ok());
    assert_eq!(engine.current.game().moves().len(), 1, "not in force");
    assert!(set(&mut engine, &inbox, "UCI_Variant=CUSTOM").is_ok());
    assert_eq!(engine.current.game().moves().len(), 0);
    assert_eq!(*engine.current.game().rules(), engine.settings().rules());
    assert!(matches!(go(&mut engine, &inbox), Ok(Done::Search(_))));
}

#[test]
fn after_a_panic_the_searcher_is_made_anew() {
    let (mut engine, inbox) = spawned(Settings::default());
    assert!(set(&mut engine, &inbox, "Hash=1").is_ok());
    engine.set_up(|_, _, _| panic!("on purpose"));
    let broken = done(&inbox);
    assert_eq!(broken.err().as_deref(), Some("internal error: on purpose"));
    assert!(matches!(go(&mut engine, &inbox), Ok(Done::Search(_))));
    assert_eq!(engine.settings().search.hash_mib, 1);
}

/// A panic beside a prover that would take for ever, and in the thread that tells.
#[test]
fn after_a_panic_the_search_ends_and_that_is_told_last() {
    let mut engine = Engine::new(Settings::default());
    let (events, inbox) = channel();
    let sink = move |event| {
        let is_deep = matches!(&event, Event::Report(Report::Line(line)) if line.depth > 2);
        drop(events.send(event));
        assert!(!is_deep, "on purpose");
    };
    engine.spawn(sink).expect("a thread");
    let limits = Limits {
        mate: Some(99),
        ..Limits::default()
    };
    engine.go(limits, Arc::default());
    let last = done(&inbox).err();
    assert_eq!(last.as_deref(), Some("internal error: on purpose"));
    assert!(matches!(go(&mut engine, &inbox), Ok(Done::Search(_))));
}

/// Options of all kinds, in turn, while a slow change is under way.
#[test]
fn a_slow_change_keeps_newer_settings() {
    let (mut engine, inbox) = spawned(Settings::default());
    let (go_on, wait) = channel::<()>();
    engine.set_up(move |_, _, _| wait.recv().map_err(|error| error.to_string()));
    let options = "Threads=2;MultiPV=3;Hash=2;UCI_Variant=custom;Book File=/no/book;Rules=board=5x5;EvalFile=/no/network;\
        Evaluation=classical;Hash=3;EvalFile=;Move Overhead=77;Threads=3;TablebaseProbeLimit=4";
    for option in options.split(';') {
        let (name, value) = option.split_once('=').expect("a value");
        engine.set_option(name, Some(value)).expect("a value");
    }
    engine.new_game();
    assert_eq!(*engine.current.game().rules(), engine.settings().rules());
    let _ = engine.set_option("Skill Level", Some("5"));
    go_on.send(()).expect("it waits");
    // What comes last ends last.
    engine.perft(1, Arc::default());
    while !matches!(done(&inbox), Ok(Done::Perft(_))) {}
    let settings = engine.settings();
    let search = &settings.search;
    assert_eq!([search.threads, search.hash_mib, settings.multipv], [3; 3]);
    assert_eq!(settings.move_overhead, Duration::from_millis(77));
    assert_eq!(settings.rules().to_string(), "board=5x5");
    assert_eq!((search.probe_stones, settings.skill.level), (4, 5));
    assert_eq!(
        search.evaluation.kind,
        crate::eval::EvaluationKind::Classical
    );
    assert!(settings.book_files.is_empty() && settings.eval_file.as_os_str().is_empty());
}

/// Whatever the memory of this machine is: this is more.
#[test]
fn a_table_that_does_not_fit_is_made_smaller() {
    let (mut engine, inbox) = spawned(Settings::default());
    engine.set_option("Hash", Some("1048576")).expect("a value");
    let events = told(&inbox);
    let told = "no memory for a table of 1048576 MiB: it has ";
    let is_told = |event: &Event| matches!(event, Event::Error(text) if text.starts_with(told));
    assert!(events.iter().any(is_told), "{events:?}");
    assert!(matches!(events.last(), Some(Event::Done(Ok(_)))));
    assert!(matches!(go(&mut engine, &inbox), Ok(Done::Search(result)) if result.nodes > 0));
    // A tool is refused what it asks for.
    let mut settings = Settings::default();
    settings.search.hash_mib = 1 << 20;
    let refused = Engine::new(settings).prepare();
    assert!(matches!(refused, Err(ResourceError::Memory(_))));
}

/// Solving them takes longer than such a search may.
#[test]
fn a_search_on_time_does_not_wait_for_tables() {
    let (mut engine, inbox) = spawned(with_tables(TableFolders::of(Vec::new())));
    let is_solving = |engine: &Engine| engine.shared.core().solving.is_some();
    assert!(set(&mut engine, &inbox, "UCI_Variant=custom").is_ok());
    assert!(!is_solving(&engine), "tables are built in");
    assert!(set(&mut engine, &inbox, "Rules=direction=any").is_ok());
    assert!(is_solving(&engine));
    let at_once = SearchLimit::Movetime(1);
    engine.go(at_once.into(), Arc::default());
    assert!(matches!(done(&inbox), Ok(Done::Search(_))));
    assert!(go(&mut engine, &inbox).is_ok());
    assert!(!is_solving(&engine));
    assert!(set(&mut engine, &inbox, "TablebasePath=/no/such").is_ok());
    assert!(is_solving(&engine));
    engine.start_preparing();
    assert!(matches!(&told(&inbox)[0], Event::Error(error) if error.contains("/no/such")));
}

fn with_tables(folders: TableFolders) -> Settings {
    let tables = Some(TableFiles::of(folders));
    Settings {
        tables,
        ..Settings::default()
    }
}

#[test]
fn what_is_wrong_with_tables_is_told_once() {
    let mut settings = with_tables(TableFolders::auto());
    settings.search.hash_mib = 1;
    let (mut engine, inbox) = spawned(settings);
    for (name, value, complaints) in [
        ("TablebasePath", "/no/folder", 1),
        ("TablebaseCache", "5", 0),
        ("UCI_Variant", "dimy", 0),
        ("TablebasePath", "/no/folder", 1),
        ("TablebasePath", "/no/other", 1),
    ] {
        engine.set_option(name, Some(value)).expect("a value");
        let told = told(&inbox);
        let errors = told.iter().filter(|event| matches!(event, Event::Error(_)));
        assert_eq!(errors.count(), complaints, "{name}");
    }
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
        let mut settings = with_tables(TableFolders::auto());
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
