// The map of the collection: asked for when it is first looked at, drawn by the viewer that `tacit map` writes too.
import { complain, get } from "./api.js";
import { MapView } from "./map/viewer.js";
import { at, many } from "./make.js";

export async function start(about, show) {
  const progress = at("map-progress");
  try {
    let found = await get("/map");
    while (found.done !== undefined) {
      progress.textContent = `Drawing ${many(about.texts)} points … ${Math.round(100 * found.done)} %`;
      await new Promise((soon) => setTimeout(soon, 700));
      found = await get("/map");
    }
    new MapView(at("map-view"), found, { textOf, open: (text) => show("search", text) });
  } catch (error) {
    complain(error.message);
  }
  progress.hidden = true;
}

async function textOf(number) {
  try {
    return await get(`/map/${number}`);
  } catch (error) {
    complain(error.message);
    return null;
  }
}
