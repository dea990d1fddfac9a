# For OpenBench (docs/openbench.md): the match runner `fastchess`, which is the whole program; with EXE=NAME the engine
# alone as NAME, with EVALFILE=FILE (an absolute path) that network in it. A NAME with `tune` in it has the numbers of
# the search as options.

SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
TARGET := $(or $(CARGO_TARGET_DIR),target)
BUILT := "$(TARGET)/release/vato$(SUFFIX)"
FEATURES := $(if $(EXE),--no-default-features) $(if $(findstring tune,$(EXE)),--features tune)

ifdef EVALFILE
export VATO_EVALFILE := $(EVALFILE)
endif

.PHONY: all
all:
	cargo build --release --locked --package vato $(FEATURES) --target-dir "$(TARGET)"
	$(BUILT) --version
	cp $(BUILT) "$(or $(EXE:.exe=),fastchess)$(SUFFIX)"
