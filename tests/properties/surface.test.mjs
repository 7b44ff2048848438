/**
 * Is everything that takes data called with values that nobody expects?
 *
 * 1. Every function and method of `api/` that takes anything is among the targets, or is left out here for a reason.
 * 2. No target and no reason names what is not there.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LEFT_OUT } from "./lib/left-out.mjs";
import * as modules from "./lib/modules.mjs";
import { callables, optionInterfaces } from "./lib/surface.mjs";

const all = Object.values(modules);
const targeted = new Set(all.flatMap(({ targets }) => targets.flatMap(({ names }) => names)));
const surface = callables();

test("every function and method has a target, or a reason why not", () => {
  assert.ok(surface.length > 150, `${surface.length} callables`);
  const missing = surface.filter((name) => !targeted.has(name) && !(name in LEFT_OUT));
  assert.deepEqual(missing, [], "write a target in tests/properties/targets");
});

test("every interface of options belongs to a module of targets", () => {
  const covers = all.flatMap((module) => module.covers);
  const missing = [...optionInterfaces().keys()].filter(
    (name) => !covers.some((one) => name === one || name.startsWith(`${one}.`)),
  );
  assert.deepEqual(
    missing.filter((name) => !(name in LEFT_OUT)),
    [],
  );
});

test("targets and reasons name what there is, once", () => {
  const known = new Set([...surface, ...optionInterfaces().keys()]);
  assert.deepEqual(
    [...targeted].filter((name) => !known.has(name)),
    [],
  );
  assert.deepEqual(
    Object.keys(LEFT_OUT).filter((name) => !known.has(name)),
    [],
  );
  assert.deepEqual(
    Object.keys(LEFT_OUT).filter((name) => targeted.has(name)),
    [],
  );
});
