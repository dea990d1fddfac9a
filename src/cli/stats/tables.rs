//! The figures as tables.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use vato::search::{NodeCounts, SearchCounts};
use vato::stats::{Figures, Phase, PhaseFigures};
use vato::{counted, plural};

use crate::cli::text::signed;

/// Iterations that a table shows; of deeper ones there are few.
const DEPTHS_SHOWN: usize = 20;

/// All tables.
pub fn text(figures: &Figures) -> String {
    let mut text = String::new();
    games(figures, &mut text);
    positions(figures, &mut text);
    iterations(figures, &mut text);
    depths(figures, &mut text);
    match (&figures.search, figures.search_by_phase()) {
        (Some(search), Some(phases)) => {
            nodes(&phases, &search.total(), &mut text);
            moves(&phases, &search.total(), &mut text);
            quiescence(&phases, &search.total(), &mut text);
            nodes_by_depth(search, &mut text);
            table_and_root(search, &mut text);
        }
        _ => text.push_str(
            "\nWhat the search does at its nodes is counted by a build with the feature `stats`:\n\
             cargo build --release --features stats\n",
        ),
    }
    text
}

/// A table with a title above it.
fn section(text: &mut String, title: &str, headings: &[&str], rows: Vec<Vec<String>>) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(headings);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.add_rows(rows);
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{title}\n\n{table}\n");
}

/// One row for each phase that has anything to show, and one for all together.
fn by_phase<T>(
    phases: &[T],
    all: &T,
    is_empty: fn(&T) -> bool,
    row: impl Fn(&T) -> Vec<String>,
) -> Vec<Vec<String>> {
    let named = Phase::ALL.iter().map(ToString::to_string).zip(phases);
    named
        .filter(|(_, figures)| !is_empty(figures))
        .chain([("all".to_owned(), all)])
        .map(|(name, figures)| {
            let mut cells = vec![name];
            cells.extend(row(figures));
            cells
        })
        .collect()
}

fn games(figures: &Figures, text: &mut String) {
    let results = figures.results;
    let _ = writeln!(
        text,
        "{}: White won {}, drawn {}, Black won {}; {} plies a game; {}",
        counted(results.games(), "game", "games"),
        results.white_wins,
        results.draws,
        results.black_wins,
        mean(results.plies, results.games(), 1),
        counted(figures.nodes, "node", "nodes")
    );
}

fn positions(figures: &Figures, text: &mut String) {
    let all = figures.all_phases();
    let count = all.positions.positions;
    let rows = by_phase(
        &figures.phases,
        &all,
        |phase| phase.positions.positions == 0,
        |phase: &PhaseFigures| {
            let figures = &phase.positions;
            vec![
                share(figures.positions, count),
                share(figures.compulsory, figures.positions),
                share(figures.forced, figures.positions),
                mean(figures.results, figures.positions, 1),
                figures.most_results.to_string(),
                mean(figures.paths, figures.positions, 1),
                mean(figures.result_steps, figures.results, 2),
                mean(figures.capture_steps, figures.captures, 2),
                figures.most_capture_steps.to_string(),
                mean(figures.captured, figures.captures, 2),
            ]
        },
    );
    section(
        text,
        "Positions of the games, by stones on the board. Results: turns told apart by origin, end and \
         captured stones.",
        &[
            "stones",
            "positions",
            "must capture",
            "one result",
            "results",
            "most",
            "paths",
            "steps of a result",
            "of a capture played",
            "most",
            "stones it took",
        ],
        rows,
    );
}

fn iterations(figures: &Figures, text: &mut String) {
    let rows = by_phase(
        &figures.phases,
        &figures.all_phases(),
        |phase| phase.iterations.searches == 0,
        |phase: &PhaseFigures| {
            let figures = &phase.iterations;
            let (even, odd) = (figures.of_parity(false), figures.of_parity(true));
            let iterations = even.iterations + odd.iterations;
            vec![
                mean(figures.depths, figures.searches, 1),
                figures
                    .branching_factor()
                    .map_or_else(String::new, |factor| format!("{factor:.2}")),
                mean(even.swing + odd.swing, iterations, 1),
                signed_mean(even.change, even.iterations),
                signed_mean(odd.change, odd.iterations),
                share(even.new_best + odd.new_best, iterations),
                mean(figures.successive_swing, figures.successive, 1),
            ]
        },
    );
    section(
        text,
        "Searches of more than one move, by stones on the board. Scores in centi-stones; swings between \
         iterations from depth 5 on. Branching factor: by how much the nodes of a search grow with each \
         iteration from the fourth to the last.",
        &[
            "stones",
            "depth",
            "branching factor",
            "swing",
            "change to even depth",
            "to odd depth",
            "new best move",
            "swing since own last move",
        ],
        rows,
    );
}

fn depths(figures: &Figures, text: &mut String) {
    let all = figures.all_phases().iterations;
    let rows = all
        .by_depth
        .iter()
        .enumerate()
        .take(DEPTHS_SHOWN + 1)
        .filter(|(_, depth)| depth.iterations > 0)
        .map(|(depth, figures)| {
            vec![
                depth.to_string(),
                figures.iterations.to_string(),
                mean(figures.swing, figures.iterations, 1),
                signed_mean(figures.change, figures.iterations),
                share(figures.new_best, figures.iterations),
            ]
        })
        .collect();
    section(
        text,
        "Iterations, against the one before.",
        &["depth", "iterations", "swing", "change", "new best move"],
        rows,
    );
}

fn nodes(phases: &[NodeCounts], all: &NodeCounts, text: &mut String) {
    let total = all.nodes();
    let rows = by_phase(phases, all, is_unvisited, |counts| {
        vec![
            share(counts.nodes(), total),
            share(counts.quiescence_nodes, counts.nodes()),
            share(counts.ended, counts.main_nodes),
            share(counts.table_hits, counts.table_probes),
            share(counts.table_cutoffs, counts.main_nodes),
            share(counts.static_cutoffs, counts.main_nodes),
            share(counts.expanded, counts.main_nodes),
            share(counts.capture_nodes, counts.expanded),
            mean(counts.evaluations, counts.nodes(), 2),
        ]
    });
    section(
        text,
        "Nodes, by stones on the board. Of all nodes: their share, and those of the quiescence search; \
         of the main search's nodes: how they ended.",
        &[
            "stones",
            "nodes",
            "quiescence",
            "over",
            "table hit",
            "table cut",
            "static cut",
            "expanded",
            "with captures",
            "evaluations a node",
        ],
        rows,
    );
}

fn moves(phases: &[NodeCounts], all: &NodeCounts, text: &mut String) {
    let rows = by_phase(
        phases,
        all,
        |counts| counts.expanded == 0,
        |counts| {
            vec![
                mean(counts.moves, counts.expanded, 1),
                mean(counts.searched, counts.expanded, 2),
                share(counts.pruned, counts.moves),
                share(counts.cutoffs, counts.expanded),
                share(counts.first_move_cutoffs, counts.cutoffs),
                mean(counts.cutoff_places, counts.cutoffs, 2),
                share(counts.hash_moves, counts.expanded),
                share(counts.hash_move_cutoffs, counts.cutoffs_with_hash_move),
                share(counts.reduced, counts.searched),
                share(counts.researched, counts.reduced),
            ]
        },
    );
    section(
        text,
        "Moves at expanded nodes of the main search, by stones on the board.",
        &[
            "stones",
            "moves",
            "searched",
            "pruned",
            "nodes cut",
            "by the first move",
            "mean place",
            "hash move known",
            "cut by it",
            "reduced",
            "searched again",
        ],
        rows,
    );
}

fn quiescence(phases: &[NodeCounts], all: &NodeCounts, text: &mut String) {
    let rows = by_phase(
        phases,
        all,
        |counts| counts.quiescence_nodes == 0,
        |counts| {
            let nodes = counts.quiescence_nodes;
            vec![
                share(counts.quiescence_table_hits, nodes),
                share(counts.quiescence_table_cutoffs, nodes),
                share(counts.quiescence_quiet, nodes),
                share(counts.stand_pats, nodes),
                share(counts.quiescence_expanded, nodes),
                mean(counts.quiescence_moves, counts.quiescence_expanded, 1),
                mean(counts.quiescence_searched, counts.quiescence_expanded, 2),
                share(counts.quiescence_cutoffs, counts.quiescence_expanded),
                share(counts.quiescence_first_cutoffs, counts.quiescence_cutoffs),
            ]
        },
    );
    section(
        text,
        "Nodes of the quiescence search, by stones on the board.",
        &[
            "stones",
            "table hit",
            "table cut",
            "quiet",
            "stood pat",
            "expanded",
            "moves",
            "searched",
            "nodes cut",
            "by the first move",
        ],
        rows,
    );
}

fn nodes_by_depth(search: &SearchCounts, text: &mut String) {
    let total = search.total().nodes();
    let rows = search
        .by_depth
        .iter()
        .enumerate()
        .take(DEPTHS_SHOWN + 1)
        .filter(|(_, counts)| counts.nodes() > 0)
        .map(|(depth, counts)| {
            vec![
                depth.to_string(),
                share(counts.nodes(), total),
                share(counts.table_cutoffs, counts.main_nodes),
                share(counts.static_cutoffs, counts.main_nodes),
                share(counts.expanded, counts.main_nodes),
                mean(counts.searched, counts.expanded, 2),
                share(counts.cutoffs, counts.expanded),
                share(counts.first_move_cutoffs, counts.cutoffs),
            ]
        })
        .collect();
    section(
        text,
        "Nodes, by plies left to search; 0 is the quiescence search.",
        &[
            "plies left",
            "nodes",
            "table cut",
            "static cut",
            "expanded",
            "moves searched",
            "nodes cut",
            "by the first move",
        ],
        rows,
    );
}

fn table_and_root(search: &SearchCounts, text: &mut String) {
    let (table, root, total) = (&search.table, &search.root, search.total());
    let writes = table.into_empty
        + table.same_position
        + table.over_earlier
        + table.over_current
        + table.kept_deeper;
    let _ = writeln!(
        text,
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
        text,
        "Root: {} searches within a window; {} failed low, {} failed high",
        root.windows,
        share(root.failed_low, root.windows),
        share(root.failed_high, root.windows),
    );
}

fn is_unvisited(counts: &NodeCounts) -> bool {
    counts.nodes() == 0
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
