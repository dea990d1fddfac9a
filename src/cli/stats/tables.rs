//! The figures as tables.

use vato_engine::search::{NodeCounts, SearchCounts};
use vato_engine::{counted, plural};
use vato_tools::stats::{DepthFigures, Figures, Phase};

use crate::cli::support::failure::Failure;
use crate::cli::support::present::{csv, table};
use crate::cli::support::text::signed;

/// Iterations that a table shows; of deeper ones there are few.
const DEPTHS_SHOWN: usize = 20;

/// What is told: the text, and of its tables each figure as a row of CSV.
#[derive(Default)]
pub struct Tables {
    pub text: String,
    rows: Vec<[String; 5]>,
}

impl Tables {
    /// A row for each figure: its table, what the rows of the table are by, the row, the figure and its value.
    pub fn csv(&self) -> Result<String, Failure> {
        let headings = ["table", "by", "row", "figure", "value"].map(str::to_owned);
        csv([&headings].into_iter().chain(&self.rows))
    }
}

pub fn tables(figures: &Figures) -> Tables {
    let mut out = Tables::default();
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

/// Columns: headings, and what the cells say of the figures of a row and their sum over all rows.
macro_rules! columns {
    ($figures:ident, $all:ident; $($heading:literal: $cell:expr,)+) => {
        &[$(($heading, |$figures, $all| {
            let _ = $all;
            $cell
        })),+]
    };
}

/// A table with a title above it. Rows have a name, which `first` is the heading of.
fn section<'a, T: 'a>(
    out: &mut Tables,
    title: &str,
    first: &str,
    rows: impl Iterator<Item = (String, &'a T)>,
    all: &T,
    columns: &[Column<T>],
) {
    let others = columns.iter().map(|&(heading, _)| heading);
    let headings: Vec<&str> = [first].into_iter().chain(others).collect();
    let short = title.split(['.', ';']).next().unwrap_or_default();
    let rows = rows.map(|(name, figures)| {
        let cells: Vec<String> = columns.iter().map(|(_, cell)| cell(figures, all)).collect();
        for (figure, cell) in headings[1..].iter().zip(&cells) {
            let value = cell.strip_suffix(" %").unwrap_or(cell);
            let row = [short, first, &name, figure, value];
            out.rows.push(row.map(str::to_owned));
        }
        [vec![name], cells].concat()
    });
    let table = table(headings.iter().copied(), rows, ..);
    out.text += &format!("\n{title}\n\n{table}\n");
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
    let rows = named.filter(|(_, figures)| !is_empty(figures));
    let rows = rows.chain([("all".to_owned(), all)]);
    section(out, title, "stones", rows, all, columns);
}

/// Rows by depth, from 0 on, that have anything to show.
fn by_depth<T>(figures: &[T], is_empty: fn(&T) -> bool) -> impl Iterator<Item = (String, &T)> {
    let named = (0..=DEPTHS_SHOWN)
        .map(|depth| depth.to_string())
        .zip(figures);
    named.filter(move |(_, figures)| !is_empty(figures))
}

fn games(figures: &Figures, out: &mut Tables) {
    let results = figures.results;
    out.text += &format!(
        "{}: White won {}, drawn {}, Black won {}; {} plies a game; {}\n",
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
        columns![f, all;
            "positions": share(f.positions, all.positions),
            "must capture": share(f.compulsory, f.positions),
            "one result": share(f.forced, f.positions),
            "results": mean(f.results, f.positions, 1),
            "most results": f.most_results.to_string(),
            "paths": mean(f.paths, f.positions, 1),
            "steps of a result": mean(f.result_steps, f.results, 2),
            "of a capture played": mean(f.capture_steps, f.captures, 2),
            "most steps": f.most_capture_steps.to_string(),
            "stones it took": mean(f.captured, f.captures, 2),
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
        columns![f, all;
            "depth": mean(f.depths, f.searches, 1),
            "branching factor": f.branching_factor().map_or_else(String::new, |factor| format!("{factor:.2}")),
            "swing": mean(f.deep(&[0, 1]).swing, f.deep(&[0, 1]).iterations, 1),
            "change to even depth": signed_mean(f.deep(&[0]).change, f.deep(&[0]).iterations),
            "to odd depth": signed_mean(f.deep(&[1]).change, f.deep(&[1]).iterations),
            "new best move": share(f.deep(&[0, 1]).new_best, f.deep(&[0, 1]).iterations),
            "swing since own last move": mean(f.successive_swing, f.successive, 1),
        ],
    );
    section(
        out,
        "Iterations, against the one before.",
        "depth",
        by_depth(&all.by_depth, |depth| depth.iterations == 0),
        &DepthFigures::default(),
        columns![f, all;
            "iterations": f.iterations.to_string(),
            "swing": mean(f.swing, f.iterations, 1),
            "change": signed_mean(f.change, f.iterations),
            "new best move": share(f.new_best, f.iterations),
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
        columns![f, all;
            "nodes": share(f.nodes(), all.nodes()),
            "quiescence": share(f.quiescence_nodes, f.nodes()),
            "over": share(f.ended, f.main_nodes),
            "table hit": share(f.table_hits, f.table_probes),
            "table cut": share(f.table_cutoffs, f.main_nodes),
            "static cut": share(f.static_cutoffs, f.main_nodes),
            "expanded": share(f.expanded, f.main_nodes),
            "with captures": share(f.capture_nodes, f.expanded),
            "evaluations a node": mean(f.evaluations, f.nodes(), 2),
        ],
    );
    by_phase(
        out,
        "Moves at expanded nodes of the main search, by stones on the board.",
        phases,
        all,
        |counts| counts.expanded == 0,
        columns![f, all;
            "moves": mean(f.moves, f.expanded, 1),
            "searched": mean(f.searched, f.expanded, 2),
            "pruned": share(f.pruned, f.moves),
            "nodes cut": share(f.cutoffs, f.expanded),
            "by the first move": share(f.first_move_cutoffs, f.cutoffs),
            "mean place": mean(f.cutoff_places, f.cutoffs, 2),
            "hash move known": share(f.hash_moves, f.expanded),
            "cut by it": share(f.hash_move_cutoffs, f.cutoffs_with_hash_move),
            "reduced": share(f.reduced, f.searched),
            "searched again": share(f.researched, f.reduced),
        ],
    );
    by_phase(
        out,
        "Nodes of the quiescence search, by stones on the board.",
        phases,
        all,
        |counts| counts.quiescence_nodes == 0,
        columns![f, all;
            "table hit": share(f.quiescence_table_hits, f.quiescence_nodes),
            "table cut": share(f.quiescence_table_cutoffs, f.quiescence_nodes),
            "quiet": share(f.quiescence_quiet, f.quiescence_nodes),
            "stood pat": share(f.stand_pats, f.quiescence_nodes),
            "expanded": share(f.quiescence_expanded, f.quiescence_nodes),
            "moves": mean(f.quiescence_moves, f.quiescence_expanded, 1),
            "searched": mean(f.quiescence_searched, f.quiescence_expanded, 2),
            "nodes cut": share(f.quiescence_cutoffs, f.quiescence_expanded),
            "by the first move": share(f.quiescence_first_cutoffs, f.quiescence_cutoffs),
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
        columns![f, all;
            "nodes": share(f.nodes(), all.nodes()),
            "table cut": share(f.table_cutoffs, f.main_nodes),
            "static cut": share(f.static_cutoffs, f.main_nodes),
            "expanded": share(f.expanded, f.main_nodes),
            "moves searched": mean(f.searched, f.expanded, 2),
            "nodes cut": share(f.cutoffs, f.expanded),
            "by the first move": share(f.first_move_cutoffs, f.cutoffs),
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
    out.text += &format!(
        "\nTable: {}; into empty entries {}, over the same position {}, over positions of \
         earlier searches {}, over other positions of the same search {}; {} left a deeper result in \
         place; {} from the table {}\n",
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
    out.text += &format!(
        "Root: {} searches within a window; {} failed low, {} failed high\n",
        root.windows,
        share(root.failed_low, root.windows),
        share(root.failed_high, root.windows),
    );
}

/// What `text` makes of a quotient; nothing where there is nothing to divide by.
fn quotient(sum: f64, count: u64, text: impl FnOnce(f64) -> String) -> String {
    match count {
        0 => String::new(),
        _ => text(sum / count as f64),
    }
}

fn mean(sum: u64, count: u64, decimals: usize) -> String {
    quotient(sum as f64, count, |mean| format!("{mean:.decimals$}"))
}

fn signed_mean(sum: i64, count: u64) -> String {
    quotient(sum as f64, count, |mean| signed(mean, 1))
}

fn share(part: u64, whole: u64) -> String {
    quotient(100.0 * part as f64, whole, |share| format!("{share:.1} %"))
}
