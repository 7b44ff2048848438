/**
 * Is everything that the package exports called with values that nobody expects?
 *
 * 1. Every function, method and getter of `api/` is among the targets, or is left out here for a reason.
 * 2. No target and no reason names what is not there.
 */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";
import { LEFT_OUT } from "./lib/left-out.mjs";
import { callables, interfaceMethods, optionInterfaces } from "./lib/surface.mjs";

const files = readdirSync(at("tests", "properties", "targets"));
const modules = await Promise.all(files.map((name) => import(`./targets/${name}`)));
const targeted = new Set(modules.flatMap(({ targets }) => targets.flatMap(({ names }) => names)));
const surface = [...callables(), ...interfaceMethods()];

test("every function and method has a target, or a reason why not", () => {
  assert.ok(surface.length > 150, `${surface.length} callables`);
  const missing = surface.filter((name) => !targeted.has(name) && !(name in LEFT_OUT));
  assert.deepEqual(missing, [], "write a target in tests/properties/targets");
});

test("every interface of options belongs to a module of targets", () => {
  const covers = modules.flatMap((module) => module.covers);
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

test("every module of targets is a test", () => {
  const tests = readdirSync(at("tests", "properties")).filter((name) => name.endsWith(".test.mjs"));
  assert.deepEqual(
    files.filter((name) => !tests.includes(name.replace(".mjs", ".test.mjs"))),
    [],
  );
});
