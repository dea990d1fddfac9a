//! Endgame tablebases: what is in them, how they are built, what becomes of files that are damaged, what the commands
//! print, and what the engine makes of its folders.

mod building;
mod commands;
mod damage;
mod engine;
mod placements;
mod set;
mod values;
