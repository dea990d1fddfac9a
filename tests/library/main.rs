//! Tests of the library through its public items.

mod certificates;
mod fuzz_corpus;
mod match_statistics;
mod notation_texts;
mod opening_books;
mod perft_vectors;
mod pgn_records;
mod protocol_round_trips;
mod protocol_session;
mod rules_cases;
mod rules_game;
mod rules_properties;
mod search;
mod search_claims;
mod search_threads;
mod tablebase_play;
