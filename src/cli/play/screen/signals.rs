//! Requests to end that come from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use crate::cli::failure::{Context, Failure};

/// The last request to end, 0 without one.
pub(super) struct EndRequests {
    caught: Arc<AtomicUsize>,
}

impl EndRequests {
    /// Listens from now on.
    pub(super) fn listen() -> Result<EndRequests, Failure> {
        let caught = Arc::new(AtomicUsize::new(0));
        let mut signals = vec![SIGINT, SIGTERM];
        #[cfg(unix)]
        signals.push(signal_hook::consts::SIGHUP);
        for signal in signals {
            let number = usize::try_from(signal).unwrap_or_default();
            flag::register_usize(signal, Arc::clone(&caught), number)
                .context("cannot listen to signals")?;
        }
        Ok(EndRequests { caught })
    }

    /// Whether the program is to end.
    pub(super) fn is_any(&self) -> bool {
        self.caught.load(Ordering::SeqCst) != 0
    }

    /// Ends the program the way the request would have, had nobody listened. To be called once
    /// everything is in order; does nothing without a request.
    pub(super) fn obey(&self) {
        let signal = self.caught.load(Ordering::SeqCst);
        if let Ok(signal @ 1..) = i32::try_from(signal) {
            // Where that does not work the program ends in the ordinary way.
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}
