// The service's addresses, from its own OpenAPI document.
import { at, make } from "./make.js";

const named = (schema, all) => (schema?.$ref ? all[schema.$ref.split("/").pop()] : schema) ?? {};

function kind(schema, all) {
  if (schema.$ref) return kind(named(schema, all), all);
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => kind(one, all)))].join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array") return `list of ${kind(schema.items ?? {}, all)}`;
  return schema.type ?? "anything";
}

function sample(schema, all, name = "") {
  schema = named(schema, all);
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf) return sample(schema.anyOf[0], all, name);
  if (schema.type === "array") return [sample(schema.items ?? {}, all)];
  if (schema.type === "object") {
    return Object.fromEntries((schema.required ?? []).map((key) => [key, sample(schema.properties[key], all, key)]));
  }
  return schema.type === "string" ? (name === "word" ? "bank" : "my card was declined") : 1;
}

function fields(schema, all) {
  const rows = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const needed = schema.required?.includes(name);
    const about = kind(one, all) + (needed ? ", needed" : one.default === undefined || one.default === null ? "" : `, else ${JSON.stringify(one.default)}`);
    return [make("dt", {}, name), make("dd", {}, about)];
  });
  return rows.length ? [make("dl", {}, ...rows)] : [];
}

function operation(method, path, one, all) {
  const question = named(one.requestBody?.content["application/json"].schema, all);
  const command = one.requestBody
    ? `curl ${location.origin}${path} \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(sample(question, all))}'`
    : `curl ${location.origin}${path}`;
  return make("section", { className: "api" },
    make("h2", {}, make("small", {}, method.toUpperCase()), path),
    make("p", {}, one.description ?? ""), ...fields(question, all), make("pre", { tabIndex: 0 }, command));
}

at("base").textContent = `${location.origin}/v1`;
try {
  const { paths, components } = await (await fetch("/openapi.json")).json();
  const found = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => operation(method, path, one, components.schemas)));
  at("operations").replaceChildren(...found);
} catch {
  at("operations").textContent = "The description could not be read. Is the service still running?";
}
