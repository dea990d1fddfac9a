//! Tests of the built program: what it reads, prints and leaves behind.

#[path = "../support/mod.rs"]
mod support;

#[cfg(unix)]
mod abstractplay_bot;
mod cli_analyse_fens;
mod cli_analyse_pgn;
mod cli_commands;
mod cli_diagram;
mod cli_fastchess;
mod cli_games;
mod cli_games_import;
mod cli_match;
#[cfg(feature = "lab")]
mod cli_network;
mod cli_openings;
mod cli_pgn;
mod cli_play;
mod cli_report;
mod cli_solve;
mod cli_suite;
mod cli_tournaments;
mod documents;
mod files_hunt;
#[cfg(feature = "gui")]
mod gui;
mod match_documents;
#[cfg(unix)]
mod match_progress;
mod own_book;
mod protocol_examples;
mod protocol_process;
mod protocol_sessions;
#[cfg(unix)]
mod recipes;
mod signature;
mod strength;
mod tablebases;
