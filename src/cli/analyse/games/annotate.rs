//! A game record with what is to be said of its moves.

use vato::arbiter::record::ScoreEntry;
use vato::board::Side;
use vato::notation::pgn::{GameRecord, Nag, RecordError};
use vato::review::{GameReview, Mark, PositionReview};
use vato::rules::Rules;
use vato::search::Score;

use super::super::line_text;

/// Who annotates: the first word of an entry of ours in the tag `Annotator`.
pub(super) const ANNOTATOR: &str = "Vato";

/// What stands between a comment of the input and ours.
const MARKER: &str = "Vato: ";

/// The longest line of a comment, in plies.
const MOST_PLIES: usize = 8;

/// The tags with the accuracy of White and Black.
const ACCURACY_TAGS: [&str; 2] = ["WhiteAccuracy", "BlackAccuracy"];

/// The annotation for a mark.
pub(super) fn nag(mark: Mark) -> Nag {
    match mark {
        Mark::Inaccuracy => Nag::DUBIOUS,
        Mark::Mistake => Nag::MISTAKE,
        Mark::Blunder => Nag::BLUNDER,
    }
}

/// Adds marks, comments and tags to the record of a game under these rules. What an earlier analysis
/// has added gives way. `annotator` says who judges, and how long he has thought; its first word is
/// [`ANNOTATOR`].
///
/// # Errors
///
/// If the record has no room for the tags.
pub(super) fn annotate(
    record: &mut GameRecord,
    review: &GameReview,
    rules: &Rules,
    annotator: &str,
) -> Result<(), RecordError> {
    let others = record.tag_value("Annotator").unwrap_or_default();
    let (ours, mut others): (Vec<&str>, Vec<&str>) = others
        .split("; ")
        .filter(|other| !other.is_empty())
        .partition(|other| other.split(' ').next() == Some(ANNOTATOR));
    let has_ours = !ours.is_empty();
    others.push(annotator);
    let annotators = others.join("; ");
    record.set_tag("Annotator", &annotators)?;
    for side in Side::BOTH {
        let name = ACCURACY_TAGS[side.index()];
        match review.players[side.index()].accuracy {
            Some(accuracy) => record.set_tag(name, &format!("{accuracy:.1}"))?,
            // No move counts, but there may have been an accuracy by another reckoning.
            None if record.tag(name).is_some() => record.set_tag(name, "?")?,
            None => {}
        }
    }
    for (ply, mv) in record.moves_mut().iter_mut().enumerate() {
        let Some(reviewed) = review.moves.get(ply) else {
            break;
        };
        let mark = reviewed.judgement.mark.map(nag);
        let kept: Vec<Nag> = mv
            .annotations()
            .iter()
            .copied()
            .filter(|other| Mark::ALL.iter().all(|mark| nag(*mark) != *other))
            .collect();
        mv.set_annotations(mark.into_iter().chain(kept));
        let ours = comment(review, ply, rules);
        let text = match without_ours(mv.comment().unwrap_or_default(), has_ours) {
            "" => ours,
            theirs => format!("{theirs} {MARKER}{ours}"),
        };
        mv.set_comment(&text);
    }
    Ok(())
}

/// What there is to say of the move that was played at `ply`: `+0.31/12 best +0.45/13 e2-e3A d5-d4A`.
fn comment(review: &GameReview, ply: usize, rules: &Rules) -> String {
    let (before, after) = (&review.positions[ply], &review.positions[ply + 1]);
    let mv = &review.moves[ply];
    let mut text = score_and_depth(mv.score, after);
    if mv.judgement.missed_win {
        text += " missed win,";
    }
    if !mv.is_best && !mv.is_forced && !before.line.is_empty() {
        let line = &before.line[..before.line.len().min(MOST_PLIES)];
        let moves = line_text(rules, &before.position, line).join(" ");
        text += &format!(" best {} {moves}", score_and_depth(before.score, before));
    }
    text
}

/// `+0.31/12`; where the game is over there is no depth.
fn score_and_depth(score: Score, position: &PositionReview) -> String {
    let text = match (score.is_tablebase(), score > Score::DRAW) {
        (false, _) => ScoreEntry::from(score).to_string(),
        (true, true) => "+TB".to_owned(),
        (true, false) => "-TB".to_owned(),
    };
    match position.depth {
        0 => text,
        depth => format!("{text}/{depth}"),
    }
}

/// A comment without what an earlier analysis has added to it. In a record that we have annotated the
/// whole comment may be ours.
fn without_ours(comment: &str, has_ours: bool) -> &str {
    if has_ours && is_ours(comment) {
        return "";
    }
    match comment.rfind(MARKER) {
        Some(place) if is_ours(&comment[place + MARKER.len()..]) => comment[..place].trim_end(),
        _ => comment,
    }
}

/// Whether this reads like a comment of ours: a score, and nothing more or a best line.
fn is_ours(text: &str) -> bool {
    let mut words = text.split(' ');
    let score = words.next().unwrap_or_default();
    let score = score.split_once('/').map_or(score, |(score, _)| score);
    let Some(size) = score.strip_prefix(['+', '-']) else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_score = match (size.split_once('.'), size.strip_prefix('M')) {
        (Some((stones, hundredths)), _) => is_number(stones) && is_number(hundredths),
        (None, Some(plies)) => is_number(plies),
        (None, None) => size == "TB",
    };
    is_score && matches!(words.next(), None | Some("best" | "missed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_ours_are_known() {
        for ours in [
            "+0.31/12",
            "-12.00",
            "+M5/9 best +M3/9 a1-a2",
            "-TB/1 missed win, best +TB/1 a1-a2 b1-b2",
        ] {
            assert!(is_ours(ours), "{ours}");
            let joined = format!("a good idea Vato: {ours}");
            assert_eq!(without_ours(&joined, false), "a good idea");
            assert_eq!(without_ours(ours, true), "");
            assert_eq!(without_ours(ours, false), ours);
        }
        for theirs in [
            "",
            "+",
            "+0.35/12 0.840s",
            "book",
            "+1 for this",
            "+M/3",
            "best",
            "I like Vato: it plays",
        ] {
            assert!(!is_ours(theirs), "{theirs}");
            for has_ours in [false, true] {
                assert_eq!(without_ours(theirs, has_ours), theirs);
            }
        }
    }
}
