//! The thread that works: it owns the [`Searcher`], takes one job after the other and sends back
//! what comes of it.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;

use crate::board::Position;
use crate::book::Book;
use crate::eval::Evaluation;
use crate::panic_message::panic_message;
use crate::rules::{Game, Path, Perft, Rules};
use crate::search::{
    Benchmark, BenchmarkTotal, Control, Limits, Parameters, ProbeSettings, Report, STACK_BYTES,
    SearchError, SearchResult, Searcher,
};
use crate::tablebase::{TablebaseError, Tablebases};

/// Something that reaches the session.
#[derive(Debug)]
pub(super) enum Event {
    /// A line of input.
    Line(String),
    /// No more input.
    EndOfInput,
    /// What a running search tells.
    Report(Report),
    /// A position of a running benchmark is done.
    Benchmarked {
        number: usize,
        of: usize,
        fen: String,
        total: BenchmarkTotal,
    },
    /// Something that went wrong beside a search, in words.
    Complaint(String),
    /// A job has ended.
    Done(Done),
}

/// Something to do.
#[derive(Debug)]
pub(super) enum Job {
    Search {
        game: Arc<Game>,
        limits: Limits,
        control: Arc<Control>,
    },
    Perft {
        rules: Rules,
        position: Position,
        depth: u32,
        threads: usize,
        control: Arc<Control>,
    },
    Benchmark(Benchmark, Arc<Control>),
    SetThreads(usize),
    SetHash(usize),
    SetProbe(ProbeSettings),
    SetEvaluation(Evaluation),
    SetParameters(Parameters),
    /// Open tablebases, and solve positions with few stones where none are at hand.
    LoadTablebases {
        rules: Rules,
        folders: Vec<PathBuf>,
        cache_bytes: u64,
    },
    /// Read an opening book.
    ReadBook(PathBuf),
    /// Take memory and start threads.
    Prepare,
    /// Forget everything learned.
    Clear,
}

/// The end of a job.
#[derive(Debug)]
pub(super) enum Done {
    Search(Result<SearchResult, String>),
    Perft(Result<Counts, String>),
    Benchmark(Result<BenchmarkTotal, String>),
    /// The book, or what is wrong with it.
    Book(Result<Arc<Book>, String>),
    /// Of every other job.
    Chore(Result<(), String>),
}

/// What a perft has counted.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) depth: u32,
    /// The turns and the counts below each; `None` if the perft was stopped.
    pub(super) below: Option<Vec<(Path, u64)>>,
}

/// The session's end of the working thread.
#[derive(Debug)]
pub(super) struct JobThread {
    jobs: Sender<Job>,
}

impl JobThread {
    /// Starts the thread. It ends when this handle is dropped, after the job it is at.
    pub(super) fn spawn(events: SyncSender<Event>) -> io::Result<JobThread> {
        let (jobs, inbox) = channel();
        thread::Builder::new()
            .name("worker".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || work(&inbox, &events))?;
        Ok(JobThread { jobs })
    }

    /// Hands over a job; its end is an [`Event::Done`].
    pub(super) fn submit(&self, job: Job) {
        // The thread outlives the session: it catches panics and ends only with the sender.
        let _ = self.jobs.send(job);
    }
}

/// The searcher, and what a new one would have to be told.
struct Tools {
    searcher: Searcher,
    threads: Option<usize>,
    hash_mib: Option<usize>,
    tablebases: Option<Arc<Tablebases>>,
    probe: ProbeSettings,
    evaluation: Evaluation,
    parameters: Parameters,
}

impl Default for Tools {
    fn default() -> Tools {
        let mut tools = Tools {
            searcher: Searcher::new(),
            threads: None,
            hash_mib: None,
            tablebases: None,
            probe: ProbeSettings::default(),
            evaluation: Evaluation::default(),
            parameters: Parameters::STANDARD,
        };
        // Without folders there is nothing that could fail but the program's own tables, and those are
        // tested.
        if let Err(error) = tools.load(&Rules::STANDARD, &[], Tablebases::DEFAULT_CACHE_BYTES) {
            log::error!("the built-in tablebases: {error}");
        }
        tools
    }
}

fn work(jobs: &Receiver<Job>, events: &SyncSender<Event>) {
    let mut tools = Tools::default();
    for job in jobs {
        let failed = job.failure();
        let done = catch_unwind(AssertUnwindSafe(|| tools.carry_out(job, events)));
        let done = done.unwrap_or_else(|panic| {
            tools = tools.renewed();
            failed(format!("internal error: {}", panic_message(panic.as_ref())))
        });
        if events.send(Event::Done(done)).is_err() {
            return;
        }
    }
}

impl Job {
    /// How the job ends if it fails.
    fn failure(&self) -> fn(String) -> Done {
        match self {
            Job::Search { .. } => |message| Done::Search(Err(message)),
            Job::Perft { .. } => |message| Done::Perft(Err(message)),
            Job::Benchmark(..) => |message| Done::Benchmark(Err(message)),
            Job::ReadBook(_) => |message| Done::Book(Err(message)),
            _ => |message| Done::Chore(Err(message)),
        }
    }
}

impl Tools {
    /// Does the job. Returns its end.
    fn carry_out(&mut self, job: Job, events: &SyncSender<Event>) -> Done {
        // If the session is gone, nobody wants to know; the job itself is stopped by its control.
        let tell = |event| drop(events.send(event));
        let chore = |result: Result<(), SearchError>| Done::Chore(result.map_err(describe));
        match job {
            Job::Search {
                game,
                limits,
                control,
            } => {
                let mut report = |report: &Report| tell(Event::Report(report.clone()));
                let result = self.searcher.search(&game, &limits, &control, &mut report);
                for complaint in self
                    .tablebases
                    .iter()
                    .flat_map(|tables| tables.complaints())
                {
                    tell(Event::Complaint(format!("tablebases: {complaint}")));
                }
                Done::Search(result.map_err(describe))
            }
            Job::Perft {
                rules,
                position,
                depth,
                threads,
                control,
            } => Done::Perft(
                Perft::new(rules, threads, 0)
                    .map(|perft| Counts {
                        depth,
                        below: perft.divide(&position, depth, control.stop_flag()),
                    })
                    .map_err(|error| error.to_string()),
            ),
            Job::Benchmark(benchmark, control) => {
                let mut progress = |number, of, fen: &str, total: &BenchmarkTotal| {
                    tell(Event::Benchmarked {
                        number,
                        of,
                        fen: fen.to_owned(),
                        total: *total,
                    });
                };
                let total = benchmark.run(&control, &mut progress);
                Done::Benchmark(total.map_err(describe))
            }
            Job::SetThreads(threads) => {
                let result = self.searcher.set_threads(threads);
                if result.is_ok() {
                    self.threads = Some(threads);
                }
                chore(result)
            }
            Job::SetHash(mib) => {
                let result = self.searcher.set_hash(mib);
                if result.is_ok() {
                    self.hash_mib = Some(mib);
                }
                chore(result)
            }
            Job::SetProbe(probe) => {
                self.probe = probe;
                self.searcher.set_probe(probe);
                chore(Ok(()))
            }
            Job::SetEvaluation(evaluation) => {
                self.evaluation.clone_from(&evaluation);
                self.searcher.set_evaluation(evaluation);
                chore(Ok(()))
            }
            Job::SetParameters(parameters) => {
                self.parameters = parameters;
                self.searcher.set_parameters(parameters);
                chore(Ok(()))
            }
            Job::LoadTablebases {
                rules,
                folders,
                cache_bytes,
            } => Done::Chore(self.load(&rules, &folders, cache_bytes)),
            Job::ReadBook(path) => Done::Book(match Book::read(&path) {
                Ok(book) => Ok(Arc::new(book)),
                Err(error) => Err(error.to_string()),
            }),
            Job::Prepare => chore(self.searcher.prepare()),
            Job::Clear => {
                self.searcher.clear();
                chore(Ok(()))
            }
        }
    }

    /// Takes the tablebases for these rules; what is wrong is said in words, and the rest is taken.
    fn load(&mut self, rules: &Rules, folders: &[PathBuf], cache_bytes: u64) -> Result<(), String> {
        let loaded = Tablebases::for_play(rules, folders, cache_bytes, self.threads.unwrap_or(1));
        let (tables, complaint) = match loaded {
            Ok((tables, complaint)) => (Some(Arc::new(tables)), complaint),
            // Rules without tables are nobody's fault, unless tables are asked for.
            Err(TablebaseError::Rules(_)) if folders.is_empty() => (None, None),
            Err(error) => (None, Some(error)),
        };
        self.tablebases.clone_from(&tables);
        self.searcher.set_tablebases(tables);
        match complaint {
            None => Ok(()),
            Some(error) => Err(format!("tablebases: {error}")),
        }
    }

    /// A new searcher with the settings of this one, which a panic may have left in disorder.
    fn renewed(&self) -> Tools {
        let mut searcher = Searcher::new();
        // Without them the searcher has its defaults, which is better than none.
        let threads = self.threads.filter(|&n| searcher.set_threads(n).is_ok());
        let hash_mib = self.hash_mib.filter(|&n| searcher.set_hash(n).is_ok());
        searcher.set_tablebases(self.tablebases.clone());
        searcher.set_probe(self.probe);
        searcher.set_evaluation(self.evaluation.clone());
        searcher.set_parameters(self.parameters);
        Tools {
            searcher,
            threads,
            hash_mib,
            tablebases: self.tablebases.clone(),
            probe: self.probe,
            evaluation: self.evaluation.clone(),
            parameters: self.parameters,
        }
    }
}

fn describe(error: SearchError) -> String {
    error.to_string()
}
