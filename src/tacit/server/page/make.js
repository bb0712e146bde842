// An element with properties and children; text stays text, whatever it holds.
export function make(name, properties = {}, ...children) {
  const { style = {}, data = {}, aria = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(name), rest);
  for (const [key, value] of Object.entries(style)) element.style.setProperty(key, value);
  for (const [key, value] of Object.entries(data)) element.dataset[key] = value;
  for (const [key, value] of Object.entries(aria)) element.setAttribute(key === "role" ? key : `aria-${key}`, value);
  element.append(...children);
  return element;
}

export const at = (id) => document.getElementById(id);

export const fixed = (value, places) => {
  const text = value.toFixed(places).replace("-", "−");
  return Number(value.toFixed(places)) === 0 ? text.replace("−", "") : text;
};

export const many = (number) => number.toLocaleString("en");
