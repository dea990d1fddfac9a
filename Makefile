# For OpenBench (docs/openbench.md): the match runner `fastchess`, which is the whole program; with EXE=NAME the engine
# alone as NAME, with EVALFILE=FILE (absolute) that network in it. A NAME with `tune` has the numbers of the search as options.

SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
TARGET := $(or $(CARGO_TARGET_DIR),target)
BUILT := "$(TARGET)/release/vato$(SUFFIX)"

ifdef EXE
FEATURES := --no-default-features $(if $(findstring tune,$(EXE)),--features tune)
else
EXE := fastchess
endif

export VATO_EVALFILE := $(EVALFILE)

.PHONY: all
all:
	cargo build --release --locked --package vato $(FEATURES) --target-dir "$(TARGET)"
	$(BUILT) --version
	cp $(BUILT) "$(EXE:.exe=)$(SUFFIX)"
