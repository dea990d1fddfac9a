//! The figures as tables.

use std::fmt::{self, Write};

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use vato_engine::search::{NodeCounts, SearchCounts};
use vato_engine::{counted, plural};
use vato_tools::stats::{DepthFigures, Figures, Phase};

use crate::cli::csv::csv;
use crate::cli::failure::Failure;
use crate::cli::text::signed;

/// Iterations that a table shows; of deeper ones there are few.
const DEPTHS_SHOWN: usize = 20;

/// What is told: the text, and of its tables each figure as a row of CSV.
pub struct Tables {
    pub text: String,
    rows: Vec<[String; 5]>,
}

impl Write for Tables {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.write_str(text)
    }
}

impl Tables {
    /// A row for each figure: its table, what the rows of the table are by, the row, the figure and its value.
    pub fn csv(&self) -> Result<String, Failure> {
        let headings = ["table", "by", "row", "figure", "value"].map(str::to_owned);
        csv([&headings].into_iter().chain(&self.rows))
    }
}

/// All tables.
pub fn tables(figures: &Figures) -> Tables {
    let mut out = Tables {
        text: String::new(),
        rows: Vec::new(),
    };
    games(figures, &mut out);
    positions(figures, &mut out);
    iterations(figures, &mut out);
    match (&figures.search, figures.search_by_phase()) {
        (Some(search), Some(phases)) => {
            nodes(&phases, &search.total(), &mut out);
            nodes_by_depth(search, &mut out);
            table_and_root(search, &mut out);
        }
        _ => out.text.push_str(
            "\nWhat the search does at its nodes is counted by a build with the feature `stats`:\n\
             cargo build --release --features stats\n",
        ),
    }
    out
}

/// A column: its heading, and the cell for some figures and the sum over all rows.
type Column<T> = (&'static str, fn(&T, &T) -> String);

/// A table with a title above it. Rows have a name, which `first` is the heading of.
fn section<'a, T: 'a>(
    out: &mut Tables,
    title: &str,
    first: &str,
    rows: impl Iterator<Item = (String, &'a T)>,
    all: &T,
    columns: &[Column<T>],
) {
    let mut table = Table::new();
    let headings = columns.iter().map(|&(heading, _)| heading);
    table
        .load_style(ASCII_MARKDOWN)
        .set_header([first].into_iter().chain(headings));
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let short = title.split(['.', ';']).next().unwrap_or_default();
    for (name, figures) in rows {
        let cells: Vec<String> = columns.iter().map(|(_, cell)| cell(figures, all)).collect();
        for ((figure, _), cell) in columns.iter().zip(&cells) {
            let value = cell.strip_suffix(" %").unwrap_or(cell);
            let row = [short, first, &name, figure, value];
            out.rows.push(row.map(str::to_owned));
        }
        table.add_row([name].into_iter().chain(cells));
    }
    // Writing to a string cannot fail.
    let _ = write!(out, "\n{title}\n\n{table}\n");
}

/// A table with one row for each phase that has anything to show, and one for all together.
fn by_phase<'a, T>(
    out: &mut Tables,
    title: &str,
    phases: impl IntoIterator<Item = &'a T>,
    all: &'a T,
    is_empty: fn(&T) -> bool,
    columns: &[Column<T>],
) {
    let named = Phase::ALL.iter().map(ToString::to_string).zip(phases);
    let rows = named
        .filter(|(_, figures)| !is_empty(figures))
        .chain([("all".to_owned(), all)]);
    section(out, title, "stones", rows, all, columns);
}

/// Rows by depth, from 0 on, that have anything to show.
fn by_depth<T>(figures: &[T], is_empty: fn(&T) -> bool) -> impl Iterator<Item = (String, &T)> {
    let named = (0..=DEPTHS_SHOWN).map(|depth| depth.to_string());
    named
        .zip(figures)
        .filter(move |(_, figures)| !is_empty(figures))
}

fn games(figures: &Figures, out: &mut Tables) {
    let results = figures.results;
    let _ = writeln!(
        out,
        "{}: White won {}, drawn {}, Black won {}; {} plies a game; {}",
        counted(results.games(), "game", "games"),
        results.white_wins,
        results.draws,
        results.black_wins,
        mean(results.plies, results.games(), 1),
        counted(figures.nodes, "node", "nodes")
    );
}

fn positions(figures: &Figures, out: &mut Tables) {
    by_phase(
        out,
        "Positions of the games, by stones on the board. Results: turns told apart by origin, end and \
         captured stones.",
        figures.phases.iter().map(|phase| &phase.positions),
        &figures.all_phases().positions,
        |phase| phase.positions == 0,
        &[
            ("positions", |f, all| share(f.positions, all.positions)),
            ("must capture", |f, _| share(f.compulsory, f.positions)),
            ("one result", |f, _| share(f.forced, f.positions)),
            ("results", |f, _| mean(f.results, f.positions, 1)),
            ("most results", |f, _| f.most_results.to_string()),
            ("paths", |f, _| mean(f.paths, f.positions, 1)),
            ("steps of a result", |f, _| {
                mean(f.result_steps, f.results, 2)
            }),
            ("of a capture played", |f, _| {
                mean(f.capture_steps, f.captures, 2)
            }),
            ("most steps", |f, _| f.most_capture_steps.to_string()),
            ("stones it took", |f, _| mean(f.captured, f.captures, 2)),
        ],
    );
}

fn iterations(figures: &Figures, out: &mut Tables) {
    let all = figures.all_phases().iterations;
    by_phase(
        out,
        "Searches of more than one move, by stones on the board. Scores in centi-stones; swings between \
         iterations from depth 5 on. Branching factor: by how much the nodes of a search grow with each \
         iteration from the fourth to the last.",
        figures.phases.iter().map(|phase| &phase.iterations),
        &all,
        |phase| phase.searches == 0,
        &[
            ("depth", |f, _| mean(f.depths, f.searches, 1)),
            ("branching factor", |f, _| {
                let factor = f.branching_factor();
                factor.map_or_else(String::new, |factor| format!("{factor:.2}"))
            }),
            ("swing", |f, _| {
                let (even, odd) = (f.of_parity(false), f.of_parity(true));
                mean(even.swing + odd.swing, even.iterations + odd.iterations, 1)
            }),
            ("change to even depth", |f, _| {
                let even = f.of_parity(false);
                signed_mean(even.change, even.iterations)
            }),
            ("to odd depth", |f, _| {
                let odd = f.of_parity(true);
                signed_mean(odd.change, odd.iterations)
            }),
            ("new best move", |f, _| {
                let (even, odd) = (f.of_parity(false), f.of_parity(true));
                share(
                    even.new_best + odd.new_best,
                    even.iterations + odd.iterations,
                )
            }),
            ("swing since own last move", |f, _| {
                mean(f.successive_swing, f.successive, 1)
            }),
        ],
    );
    section(
        out,
        "Iterations, against the one before.",
        "depth",
        by_depth(&all.by_depth, |depth| depth.iterations == 0),
        &DepthFigures::default(),
        &[
            ("iterations", |f, _| f.iterations.to_string()),
            ("swing", |f, _| mean(f.swing, f.iterations, 1)),
            ("change", |f, _| signed_mean(f.change, f.iterations)),
            ("new best move", |f, _| share(f.new_best, f.iterations)),
        ],
    );
}

fn nodes(phases: &[NodeCounts], all: &NodeCounts, out: &mut Tables) {
    by_phase(
        out,
        "Nodes, by stones on the board. Of all nodes: their share, and those of the quiescence search; \
         of the main search's nodes: how they ended.",
        phases,
        all,
        |counts| counts.nodes() == 0,
        &[
            ("nodes", |n, all| share(n.nodes(), all.nodes())),
            ("quiescence", |n, _| share(n.quiescence_nodes, n.nodes())),
            ("over", |n, _| share(n.ended, n.main_nodes)),
            ("table hit", |n, _| share(n.table_hits, n.table_probes)),
            ("table cut", |n, _| share(n.table_cutoffs, n.main_nodes)),
            ("static cut", |n, _| share(n.static_cutoffs, n.main_nodes)),
            ("expanded", |n, _| share(n.expanded, n.main_nodes)),
            ("with captures", |n, _| share(n.capture_nodes, n.expanded)),
            ("evaluations a node", |n, _| {
                mean(n.evaluations, n.nodes(), 2)
            }),
        ],
    );
    by_phase(
        out,
        "Moves at expanded nodes of the main search, by stones on the board.",
        phases,
        all,
        |counts| counts.expanded == 0,
        &[
            ("moves", |n, _| mean(n.moves, n.expanded, 1)),
            ("searched", |n, _| mean(n.searched, n.expanded, 2)),
            ("pruned", |n, _| share(n.pruned, n.moves)),
            ("nodes cut", |n, _| share(n.cutoffs, n.expanded)),
            ("by the first move", |n, _| {
                share(n.first_move_cutoffs, n.cutoffs)
            }),
            ("mean place", |n, _| mean(n.cutoff_places, n.cutoffs, 2)),
            ("hash move known", |n, _| share(n.hash_moves, n.expanded)),
            ("cut by it", |n, _| {
                share(n.hash_move_cutoffs, n.cutoffs_with_hash_move)
            }),
            ("reduced", |n, _| share(n.reduced, n.searched)),
            ("searched again", |n, _| share(n.researched, n.reduced)),
        ],
    );
    by_phase(
        out,
        "Nodes of the quiescence search, by stones on the board.",
        phases,
        all,
        |counts| counts.quiescence_nodes == 0,
        &[
            ("table hit", |n, _| {
                share(n.quiescence_table_hits, n.quiescence_nodes)
            }),
            ("table cut", |n, _| {
                share(n.quiescence_table_cutoffs, n.quiescence_nodes)
            }),
            ("quiet", |n, _| {
                share(n.quiescence_quiet, n.quiescence_nodes)
            }),
            ("stood pat", |n, _| share(n.stand_pats, n.quiescence_nodes)),
            ("expanded", |n, _| {
                share(n.quiescence_expanded, n.quiescence_nodes)
            }),
            ("moves", |n, _| {
                mean(n.quiescence_moves, n.quiescence_expanded, 1)
            }),
            ("searched", |n, _| {
                mean(n.quiescence_searched, n.quiescence_expanded, 2)
            }),
            ("nodes cut", |n, _| {
                share(n.quiescence_cutoffs, n.quiescence_expanded)
            }),
            ("by the first move", |n, _| {
                share(n.quiescence_first_cutoffs, n.quiescence_cutoffs)
            }),
        ],
    );
}

fn nodes_by_depth(search: &SearchCounts, out: &mut Tables) {
    section(
        out,
        "Nodes, by plies left to search; 0 is the quiescence search.",
        "plies left",
        by_depth(&search.by_depth, |counts| counts.nodes() == 0),
        &search.total(),
        &[
            ("nodes", |n, all| share(n.nodes(), all.nodes())),
            ("table cut", |n, _| share(n.table_cutoffs, n.main_nodes)),
            ("static cut", |n, _| share(n.static_cutoffs, n.main_nodes)),
            ("expanded", |n, _| share(n.expanded, n.main_nodes)),
            ("moves searched", |n, _| mean(n.searched, n.expanded, 2)),
            ("nodes cut", |n, _| share(n.cutoffs, n.expanded)),
            ("by the first move", |n, _| {
                share(n.first_move_cutoffs, n.cutoffs)
            }),
        ],
    );
}

fn table_and_root(search: &SearchCounts, out: &mut Tables) {
    let (table, root, total) = (&search.table, &search.root, search.total());
    let writes = table.into_empty
        + table.same_position
        + table.over_earlier
        + table.over_current
        + table.kept_deeper;
    let _ = writeln!(
        out,
        "\nTable: {}; into empty entries {}, over the same position {}, over positions of \
         earlier searches {}, over other positions of the same search {}; {} left a deeper result in \
         place; {} from the table {}",
        counted(writes, "write", "writes"),
        share(table.into_empty, writes),
        share(table.same_position, writes),
        share(table.over_earlier, writes),
        share(table.over_current, writes),
        share(table.kept_deeper, writes),
        counted(total.foreign_hash_moves, "move", "moves"),
        plural(
            total.foreign_hash_moves,
            "was no legal one",
            "were no legal ones"
        ),
    );
    let _ = writeln!(
        out,
        "Root: {} searches within a window; {} failed low, {} failed high",
        root.windows,
        share(root.failed_low, root.windows),
        share(root.failed_high, root.windows),
    );
}

/// A quotient; nothing where there is nothing to divide by.
fn mean(sum: u64, count: u64, decimals: usize) -> String {
    if count == 0 {
        return String::new();
    }
    format!("{:.decimals$}", sum as f64 / count as f64)
}

fn signed_mean(sum: i64, count: u64) -> String {
    if count == 0 {
        return String::new();
    }
    signed(sum as f64 / count as f64, 1)
}

fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return String::new();
    }
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}
