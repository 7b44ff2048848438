/**
 * Keeps the visitor's own tools in the browser from one visit to the next, in IndexedDB, and forgets them on request. Where a
 * browser denies storage, nothing is kept and nothing fails.
 */
import { clear, createStore, get, set, type UseStore } from "idb-keyval";
import type { KeptList } from "./types.ts";

const LISTS = "lists";

/** A name of its own: other pages of the same host have theirs. */
let opened: UseStore | null = null;

function database(): UseStore {
  return (opened ??= createStore("toolsift-playground", "catalog"));
}

export async function keptLists(): Promise<KeptList[]> {
  try {
    return (await get<KeptList[]>(LISTS, database())) ?? [];
  } catch {
    return [];
  }
}

/** Keeps these lists in place of those before. False where the browser denies it. */
export async function keepLists(lists: readonly KeptList[]): Promise<boolean> {
  try {
    await set(LISTS, lists, database());
    return true;
  } catch {
    return false;
  }
}

/** Forgets everything that this page keeps: tools, and the theme. */
export async function forgetEverything(): Promise<void> {
  localStorage.removeItem("toolsift-theme");
  try {
    await clear(database());
  } catch {
    // What cannot be opened holds nothing of this page.
  }
}
