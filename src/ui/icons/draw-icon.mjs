/** An icon by its name: an empty drawing, whose class makes the style sheet fill it. */
const SOURCE = `
import { createElement } from 'react';
export default function createIcon(name) {
  return function Icon({ className, ...rest }) {
    const isNamed = 'role' in rest || 'aria-label' in rest || 'title' in rest;
    return createElement('svg', {
      className: className ? 'i-' + name + ' ' + className : 'i-' + name,
      ...(!isNamed && { 'aria-hidden': true }),
      ...rest,
    });
  };
}
`;

/** A loader for the bundler: stands in for what Lucide makes of an icon. The pages hold up to a hundred of them. */
export default () => SOURCE;
