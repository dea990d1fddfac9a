//! The searches of the pages: an engine for each page that searches, and its reports as they come.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use http_body_util::Either;
use hyper::StatusCode;
use hyper::body::{Body, Bytes, Frame};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::guard::{Refused, refuse};
use crate::play::{SearchEvent, SearchRequest, SearchThread};
use crate::service::{self, Service};
use vato_engine::engine::Settings;
use vato_engine::memory::lock;
use vato_engine::rules::Game;
use vato_engine::search::Control;

/// The most searches at a time. Browsers have six connections to a server: two are left for other requests.
const MAX_SEARCHES: usize = 4;

/// How many reports may wait for a page; further lines are left out, as later ones say more.
const WAITING_REPORTS: usize = 1024;

pub(super) struct Session {
    service: Arc<Service>,
    /// Engines, each with the page that it has searched for last.
    seats: Mutex<Vec<(u64, SearchThread)>>,
}

/// The answer to a command: JSON, or the reports of a search, as they come.
pub(super) type Reply = Either<Vec<u8>, SearchReports>;

/// The reports of a search, a line of JSON each: lines, and an end. Dropping it ends the search.
pub(super) struct SearchReports {
    reports: Receiver<Bytes>,
    search: Arc<Control>,
}

impl Body for SearchReports {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let report = self.get_mut().reports.poll_recv(context);
        report.map(|report| report.map(|report| Ok(Frame::data(report))))
    }
}

impl Drop for SearchReports {
    fn drop(&mut self) {
        self.search.stop();
    }
}

impl Session {
    /// The searches of a service's pages.
    pub fn new(service: Arc<Service>) -> io::Result<Session> {
        // The first search does not wait for its engine.
        let first = SearchThread::spawn(service.settings())?;
        Ok(Session {
            service,
            seats: Mutex::new(vec![(0, first)]),
        })
    }

    /// Answers a command of the page.
    pub fn answer(&self, route: &str, body: &[u8]) -> Result<Reply, Refused> {
        match self.service.answer(route, body)? {
            Some(service::Reply::Json(json)) => Ok(Either::Left(json)),
            Some(service::Reply::Search(page, request)) => self.search(page, *request),
            None => refuse(StatusCode::NOT_FOUND, "no such page"),
        }
    }

    /// Starts a search instead of the page's running one; of a finished game it reports no turn.
    fn search(&self, page: u64, request: SearchRequest) -> Result<Reply, Refused> {
        let mut seats = lock(&self.seats);
        let new_engine = || {
            SearchThread::spawn(self.service.settings())
                .map_err(|error| Refused(StatusCode::SERVICE_UNAVAILABLE, error.to_string().into()))
        };
        // The page's own engine still knows its game.
        let own = seats.iter().position(|(owner, _)| *owner == page);
        let idle = || seats.iter().position(|(_, engine)| engine.is_idle());
        let place = match own.or_else(idle) {
            Some(place) => place,
            None if seats.len() >= MAX_SEARCHES => {
                let message = format!("{MAX_SEARCHES} other pages are searching: stop one of them");
                return refuse(StatusCode::SERVICE_UNAVAILABLE, message);
            }
            None => {
                seats.push((page, new_engine()?));
                seats.len() - 1
            }
        };
        let (owner, engine) = &mut seats[place];
        let resources = |settings: &Settings| (settings.search.threads, settings.search.hash_mib);
        if resources(&engine.settings) != resources(&self.service.settings()) {
            *engine = new_engine()?;
        }
        *owner = page;
        let (sender, reports) = channel(WAITING_REPORTS);
        let (service, game) = (Arc::clone(&self.service), request.game.clone());
        let tell = move |event| tell(&service, &game, &sender, &event);
        let search = engine.search(request, tell);
        Ok(Either::Right(SearchReports { reports, search }))
    }
}

/// Tells the page of a search.
fn tell(service: &Service, game: &Game, page: &Sender<Bytes>, event: &SearchEvent) {
    // Room is kept for the end.
    if matches!(event, SearchEvent::Line(_)) && page.capacity() < 2 {
        return;
    }
    if let Some(report) = service.report(game, event) {
        let _ = page.try_send(Bytes::from(report));
    }
}
