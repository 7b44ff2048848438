// The page without a network: its files are kept at the first visit, and large ones that few people need when they are first
// used. The build fills in the two constants.
const FILES = "FILES";
const CACHE = `toolsift-${"VERSION"}`;

self.addEventListener("install", (event) => {
  // A file that cannot be had must not keep the others from being there.
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await Promise.allSettled(FILES.map((file) => cache.add(file)));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("toolsift-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const own = new URL(request.url).origin === self.location.origin && request.url.startsWith(self.registration.scope);
  if (request.method !== "GET" || !own) return;
  event.respondWith(request.mode === "navigate" ? newest(request) : kept(request));
});

/** The page as the network has it, or as it was kept. */
async function newest(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await caches.match("./", { cacheName: CACHE });
    if (page) return page;
    throw error;
  }
}

/** A file as it was kept: its name changes when it does. */
async function kept(request) {
  const known = await caches.match(request, { cacheName: CACHE, ignoreVary: true });
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}
