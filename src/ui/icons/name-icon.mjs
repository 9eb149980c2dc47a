/** A loader for the bundler: of an icon's module only the name is left, for the style sheet has the drawing. */
export default (source) => {
  const name = /^const __iconData = \{\s*name: "([a-z0-9-]+)"/m.exec(source)?.[1];
  if (name === undefined) return source;
  return `
import createIcon from '../createLucideIcon.mjs';
export default createIcon('${name}');
`;
};
