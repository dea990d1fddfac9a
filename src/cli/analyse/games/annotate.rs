//! Adds move marks, scores and better lines to a game record.

use vato_engine::search::{Score, SearchLimit};
use vato_records::pgn::{GameRecord, MAX_MOVES, Nag, RecordedMove, Variation};
use vato_tools::review::{GameReview, Mark, MoveReview};

/// The first word of our entry in the tag `Annotator`.
const ANNOTATOR: &str = "Vato";

/// Separates an existing comment from ours.
const MARKER: &str = "Vato: ";

/// The maximum length of a better line, in plies.
const MOST_PLIES: usize = 8;

/// What a comment says of a missed win.
const MISSED_WIN: &str = " missed win";

/// What a comment says of a move that somebody has marked and we have not.
const NO_MARK: &str = ", no mark";

pub(super) fn nag(mark: Mark) -> Nag {
    match mark {
        Mark::Inaccuracy => Nag::DUBIOUS,
        Mark::Mistake => Nag::MISTAKE,
        Mark::Blunder => Nag::BLUNDER,
    }
}

/// Our entry in the tag `Annotator`: `Vato 1.0.0, classical, 300 nodes`.
pub(super) fn annotator(evaluation: &str, limit: SearchLimit) -> String {
    format!(
        "{ANNOTATOR} {}, {evaluation}, {limit}",
        env!("CARGO_PKG_VERSION")
    )
}

/// Whether an entry of the tag `Annotator` has the form written by [`annotator`], of any version. An
/// annotator may be a person called Vato.
fn is_our_entry(entry: &str) -> bool {
    let parts: Vec<&str> = entry.split(", ").collect();
    let [program, evaluation, limit] = parts[..] else {
        return false;
    };
    let version = program
        .strip_prefix(ANNOTATOR)
        .and_then(|rest| rest.strip_prefix(' '));
    let is_limit = match limit.split_once(' ') {
        Some(("depth", number)) | Some((number, "node" | "nodes" | "ms")) => is_number(number),
        _ => false,
    };
    let is_version = |version: &str| {
        version.starts_with(|first: char| first.is_ascii_digit()) && !version.contains(' ')
    };
    let is_evaluation = match evaluation.strip_prefix("network ") {
        Some(name) => name.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => evaluation == "classical",
    };
    version.is_some_and(is_version) && is_evaluation && is_limit
}

/// Removes the comments, variations and marks of an earlier analysis, and marks the moves judged here that nobody
/// else has marked (with `!`, `?` and the like). For each move, whether somebody has.
pub(super) fn mark(record: &mut GameRecord, review: &GameReview) -> Vec<bool> {
    // A tag may occur twice in invalid records.
    let has_ours = record
        .tags()
        .iter()
        .any(|tag| tag.name() == "Annotator" && tag.value().split("; ").any(is_our_entry));
    let moves = record.moves_mut().iter_mut().zip(&review.moves);
    let mark = |(mv, reviewed): (&mut RecordedMove, &MoveReview)| {
        let mark = reviewed.judgement.mark.map(nag);
        let comment = mv.comment.as_deref().unwrap_or_default();
        let (theirs, ours) = comment.split_at(begin_of_ours(comment, has_ours));
        let is_ours = |other: &Nag| {
            says_mark(ours.trim_start_matches(MARKER)) == Some(false)
                && Mark::ALL.map(nag).contains(other)
        };
        let mut kept = mv.annotations().to_vec();
        kept.retain(|other| !is_ours(other));
        let theirs = theirs.trim_end().to_owned();
        mv.set_comment(&theirs);
        let is_marked = kept.iter().any(|other| other.sign().is_some());
        mv.set_annotations(mark.filter(|_| !is_marked).into_iter().chain(kept));
        mv.variations
            .retain(|variation| !has_ours || !is_our_variation(variation));
        is_marked
    };
    moves.map(mark).collect()
}

/// Annotates the record of a game. Marks, comments, variations and tags replace those of an
/// earlier analysis; for marks see [`mark`]. `annotator` is the entry for the tag, see [`annotator`].
pub(super) fn annotate(
    record: &mut GameRecord,
    review: &GameReview,
    annotator: &str,
) -> Result<(), String> {
    let marked = mark(record, review);
    let others = record.tag_value("Annotator").unwrap_or_default();
    let others = others
        .split("; ")
        .filter(|other| !other.is_empty() && !is_our_entry(other));
    let annotators = others.chain([annotator]).collect::<Vec<_>>().join("; ");
    record.set_tag("Annotator", &annotators)?;
    let names = ["WhiteAccuracy", "BlackAccuracy"];
    for (name, player) in names.into_iter().zip(&review.players) {
        match player.accuracy {
            Some(accuracy) => record.set_tag(name, &format!("{accuracy:.1}"))?,
            // No move counts: an accuracy of another analysis would be misleading.
            None if record.tag(name).is_some() => record.set_tag(name, "?")?,
            None => {}
        }
    }
    // More than this would not be read back.
    let mut room = MAX_MOVES.saturating_sub(record.count_moves());
    let moves = record.moves_mut().iter_mut().zip(marked);
    for ((mv, is_marked), reviewed) in moves.zip(&review.moves) {
        let ours = comment(reviewed, is_marked);
        let text = match mv.comment.as_deref() {
            None => ours,
            Some(theirs) => format!("{theirs} {MARKER}{ours}"),
        };
        mv.set_comment(&text);
        if let Some(before) = reviewed.better_line() {
            let moves = &before.pv[..before.pv.len().min(MOST_PLIES).min(room)];
            if moves.is_empty() {
                continue;
            }
            room -= moves.len();
            let introduction = format!("{MARKER}{}", score_and_depth(before.score, before.depth));
            let moves = moves.iter().map(String::as_str);
            mv.variations.push(Variation::new(&introduction, moves)?);
        }
    }
    Ok(())
}

/// The comment for a move: `+0.31/12`, `-0.20/9 missed win`; with our mark where another one stands.
fn comment(mv: &MoveReview, is_marked: bool) -> String {
    let missed = match mv.judgement.missed_win {
        true => MISSED_WIN,
        false => "",
    };
    let mark = match mv.judgement.mark.and_then(|mark| nag(mark).sign()) {
        _ if !is_marked => String::new(),
        Some(sign) => format!(", mark {sign}"),
        None => NO_MARK.to_owned(),
    };
    score_and_depth(mv.score, mv.depth) + missed + &mark
}

/// `+0.31/12`; without depth where the game is over.
fn score_and_depth(score: Score, depth: u32) -> String {
    let text = score.short_text();
    match depth {
        0 => text,
        depth => format!("{text}/{depth}"),
    }
}

/// Where the part of a comment begins that an earlier analysis has added, with the marker if there is one; it
/// may be all of it. In a record that we have not annotated, nothing is ours.
fn begin_of_ours(comment: &str, has_ours: bool) -> usize {
    let marker = comment.rfind(MARKER);
    match marker {
        _ if !has_ours => comment.len(),
        _ if says_mark(comment).is_some() => 0,
        Some(place) if says_mark(&comment[place + MARKER.len()..]).is_some() => place,
        _ => comment.len(),
    }
}

/// Whether a text of the form written by [`comment`] says our mark because another one stands; `None` for other
/// texts.
fn says_mark(text: &str) -> Option<bool> {
    let marks = Mark::ALL.map(|mark| nag(mark).sign().unwrap_or_default());
    let said = text.strip_suffix(NO_MARK).or_else(|| {
        let (before, mark) = text.rsplit_once(", mark ")?;
        marks.contains(&mark).then_some(before)
    });
    let score = said.unwrap_or(text);
    let score = score.strip_suffix(MISSED_WIN).unwrap_or(score);
    is_score_and_depth(score).then_some(said.is_some())
}

/// Whether this is a better line of an earlier analysis, to which nobody has added anything.
fn is_our_variation(variation: &Variation) -> bool {
    let introduction = variation.introduction.as_deref().unwrap_or_default();
    let score = introduction.strip_prefix(MARKER);
    score.is_some_and(is_score_and_depth)
        && variation.moves.iter().all(|mv| {
            mv.comment.is_none() && mv.annotations().is_empty() && mv.variations.is_empty()
        })
        && variation.comment_after.is_none()
}

/// Whether the word has the form written by [`score_and_depth`].
fn is_score_and_depth(word: &str) -> bool {
    let (score, depth) = match word.split_once('/') {
        Some((score, depth)) => (score, Some(depth)),
        None => (word, None),
    };
    let Some(size) = score.strip_prefix(['+', '-']) else {
        return false;
    };
    let is_score = match (size.split_once('.'), size.strip_prefix('M')) {
        (Some((stones, hundredths)), _) => {
            is_number(stones) && is_number(hundredths) && hundredths.len() == 2
        }
        (None, Some(plies)) => is_number(plies),
        (None, None) => size == "TB",
    };
    is_score && depth.is_none_or(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_ours_are_known() {
        let without = |comment: &str, has_ours| {
            let theirs = &comment[..begin_of_ours(comment, has_ours)];
            theirs.trim_end().to_owned()
        };
        for (ours, says) in [
            ("+0.31/12", false),
            ("-12.00", false),
            ("+M5/9", false),
            ("-TB/1 missed win", false),
            ("+0.31/12, no mark", true),
            ("-0.20 missed win, mark ??", true),
        ] {
            assert_eq!(says_mark(ours), Some(says), "{ours}");
            let joined = format!("a good idea Vato: {ours}");
            assert_eq!(without(&joined, true), "a good idea");
            assert_eq!(without(&joined, false), joined);
            assert_eq!(without(ours, true), "");
            assert_eq!(without(ours, false), ours);
        }
        let theirs = "|+|+0.35/12 0.840s|book|+1 for this|+M/3|best|I like Vato: it plays|+1.00 best reply|+1.00/3 missed|\
            +1.00/3 missed win,| missed win|+1.00/3 missed chance|+1.0/3|+1.00/|+1.00/x|+1.00/3, mark !!|+1.00/3, mark|\
            , no mark";
        for theirs in theirs.split('|') {
            assert_eq!(says_mark(theirs), None, "{theirs}");
            for has_ours in [false, true] {
                assert_eq!(without(theirs, has_ours), theirs.trim_end());
            }
        }
    }

    #[test]
    fn variations_of_ours_are_known() {
        let variation = |introduction| Variation::new(introduction, ["a1-a2", "b1-b2"]);
        let variation = |introduction| variation(introduction).expect("moves");
        assert!(is_our_variation(&variation("Vato: +0.31/12")));
        for theirs in ["", "+0.31/12", "Vato: better", "Vato: +0.31/12 I think"] {
            assert!(!is_our_variation(&variation(theirs)), "{theirs}");
        }
        let mut theirs = variation("Vato: +0.31/12");
        theirs.moves[1].set_comment("not so sure");
        assert!(!is_our_variation(&theirs));
    }

    #[test]
    fn entries_of_ours_are_known() {
        let ours = "Vato 0.1.0, network 1a2b3c4d5e6f, depth 12|Vato 0.1.0, classical, 1 node|\
            Vato 12.0.0-beta.1, classical, 500 ms";
        let own = annotator("classical", SearchLimit::Nodes(300));
        for ours in ours.split('|').chain([own.as_str()]) {
            assert!(is_our_entry(ours), "{ours}");
        }
        let theirs = "Vato|Vato Rakoto|Vato 1 Rakoto, classical, 3 nodes|Vato 0.1.0|Vato 0.1.0, classical, deep|\
            Vato 0.1.0, good eyes, depth 3|Vato 0.1.0, classical, depth 3, and Rabe|Vatosoa 0.1.0, classical, depth 3|\
            Rabe, with the help of Vato 0.1.0, classical, depth 3";
        for theirs in theirs.split('|') {
            assert!(!is_our_entry(theirs), "{theirs}");
        }
    }
}
