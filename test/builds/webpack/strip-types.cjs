const { transformSync } = require('esbuild');

/** A loader: TypeScript out, with a map back to it. */
module.exports = function stripTypes(source) {
  const { code, map } = transformSync(source, {
    loader: 'ts',
    sourcemap: 'external',
    sourcefile: this.resourcePath,
  });
  this.callback(null, code, JSON.parse(map));
};
