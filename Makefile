# SPDX-License-Identifier: Apache-2.0
# Each target is a script of the same name in Tools/, which can be run without make as well.

PREFIX ?= $(HOME)/.local
DESTDIR ?=

.PHONY: help run build check test test-all bench crash fuzz lint format install uninstall install-system uninstall-system clean

help: ## list the targets
	@Tools/help
run: ## build everything and show it at work in a scratch directory
	@Tools/run
build: ## build the programs, in release configuration
	@Tools/build
check: ## check the form of the sources and run the unit tests: a few minutes
	@Tools/check
test: ## run everything that shows that the product works: what CI runs
	@Tools/test
test-all: ## run the long and the random tests, with a seed: Tools/test all --seed N repeats it
	@Tools/test-all
bench: ## measure, and compare with the bare operations underneath and with the committed figures
	@Tools/bench
crash: ## cut the power, kill and fail the disk thousands of times, for a night
	@Tools/crash
fuzz: ## feed mutated bytes to every reader of foreign bytes, a minute each
	@Tools/fuzz
lint: ## check the form of the sources
	@Tools/lint
format: ## bring the Swift sources into form
	@Tools/format
install: ## install below PREFIX (default: ~/.local)
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Tools/install
uninstall: ## remove what install put below PREFIX
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Tools/uninstall
install-system: ## install a service for all users below PREFIX (default: /usr/local); needs root
	@PREFIX="$(if $(filter-out file,$(origin PREFIX)),$(PREFIX))" DESTDIR="$(DESTDIR)" Tools/install-system
uninstall-system: ## remove what install-system put there
	@PREFIX="$(if $(filter-out file,$(origin PREFIX)),$(PREFIX))" DESTDIR="$(DESTDIR)" Tools/uninstall-system
clean: ## remove everything that was built
	@Tools/clean
