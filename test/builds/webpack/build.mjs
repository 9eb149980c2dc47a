import path from 'node:path';
import { promisify } from 'node:util';
import { sentryWebpackPlugin } from '@sentry/webpack-plugin';
import webpack from 'webpack';

const stats = await promisify(webpack)({
  mode: 'production',
  devtool: 'source-map',
  entry: path.resolve('../shop/main.ts'),
  output: { path: path.resolve('dist'), filename: 'assets/[name].[contenthash:8].js' },
  module: { rules: [{ test: /\.ts$/, loader: path.resolve('strip-types.cjs') }] },
  performance: false,
  plugins: [sentryWebpackPlugin({ telemetry: false })],
});
console.log(stats.toString());
if (stats.hasErrors()) process.exitCode = 1;
