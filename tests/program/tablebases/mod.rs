//! Endgame tablebases from outside: what the commands build, check and print, what becomes of files
//! that are damaged, and what the engine makes of its folders.

mod boards;
mod building;
mod counts;
mod damage;
mod engine;
mod folders;
mod interrupted;
mod manifest;
mod memory;
mod placements;
mod plain_solver;
mod probing;
mod set;
