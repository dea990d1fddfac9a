//! Clocks that depend on the speed of the machine.

use rayon::ThreadPoolBuilder;

use super::match_error::MatchError;
use super::match_state::MatchState;
use super::runner::games_at_a_time;
use super::settings::SettingsError;
use vato_engine::engine::Bench;
use vato_engine::search::Control;
use vato_engine::stop::StopSignal;

/// The most by which times are multiplied or divided.
const MOST: f64 = 50.0;

/// By what the times of a match are multiplied on this machine, if they depend on its speed. That is measured with as
/// many processors busy as the games will take.
pub(super) fn scale(state: &MatchState, stop: &StopSignal) -> Result<Option<f64>, MatchError> {
    let Some(wanted) = state.settings.scale else {
        return Ok(None);
    };
    let games = games_at_a_time(&state.settings, &state.schedule.lock()).max(1);
    let copies = games.saturating_mul(state.settings.processors_of_a_game());
    let pool = ThreadPoolBuilder::new().num_threads(copies).build();
    let pool = pool.map_err(|error| MatchError::missing("scale", error))?;
    let speeds = pool.broadcast(|_| {
        let control = Control::new();
        let total = Bench::default().run(&control, &mut |_, _, _, _| {
            if stop.is_given() {
                control.stop();
            }
        });
        total.map(|total| total.nodes_per_second())
    });
    let speeds: Result<Vec<u64>, _> = speeds.into_iter().collect();
    let speeds = speeds.map_err(|error| MatchError::missing("scale", error))?;
    if stop.is_given() {
        return Err(MatchError::Stopped);
    }
    let here = speeds.iter().sum::<u64>() as f64 / speeds.len() as f64;
    let scale = wanted as f64 / here;
    if !(1.0 / MOST..=MOST).contains(&scale) {
        let expected = format_args!("nodes/s, not {MOST} times more or less than here, {here:.0}");
        return Err(SettingsError::value("scale", wanted, expected).into());
    }
    // As the record shows it.
    Ok(Some((scale * 1e4).round() / 1e4))
}
