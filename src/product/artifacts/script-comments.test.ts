import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { readScriptComments, scanScriptComments } from './script-comments.ts';

const read = (text: string) => readScriptComments(Buffer.from(text));
const ID = '0d6f3c1e-6a43-4b1f-9f0a-7a4e2d1c5b38';

test('reads the debug id and the address of the map from the end of a script', () => {
  expect(read(`throw 1;\n//# sourceMappingURL=app.js.map\n//# debugId=${ID}\n`)).toEqual({
    debugId: ID,
    sourceMap: 'app.js.map',
  });
  expect(read(`//# debugId=${ID.replaceAll('-', '').toUpperCase()}\r\nthrow 1;`)).toEqual({
    debugId: ID,
    sourceMap: null,
  });
  expect(read('//@ sourceMappingURL=https://cdn.example.com/app.js.map?v=2\r\n').sourceMap).toBe(
    'https://cdn.example.com/app.js.map?v=2',
  );
});

test('takes the last of several, and none within other code', () => {
  expect(read('//# sourceMappingURL=a.map\nx;\n//# sourceMappingURL=b.map').sourceMap).toBe('b.map');
  expect(read('x = "//# sourceMappingURL=a.map";').sourceMap).toBeNull();
  expect(read('//# sourceMappingURL=a.map\nx = "//# sourceMappingURL=b.map";').sourceMap).toBe('a.map');
});

test('says of a map within the script only that it is there', () => {
  const inline = `data:application/json;base64,${'A'.repeat(50_000)}`;
  expect(read(`x;\n//# sourceMappingURL=${inline}`).sourceMap).toBe('data:');
});

test('leaves out what is neither an address nor an id', () => {
  expect(read('')).toEqual({ debugId: null, sourceMap: null });
  expect(read('//# sourceMappingURL=\n//# debugId=not-an-id')).toEqual({ debugId: null, sourceMap: null });
  expect(read(`//# sourceMappingURL=${'a'.repeat(5_000)}`).sourceMap).toBeNull();
  expect(read('//# sourceMappingURL=a b.map').sourceMap).toBeNull();
});

test('looks through a long script without any in time that grows with its length only', () => {
  const script = Buffer.from('x"//# sourceMappingURL=" '.repeat(200_000));
  expect(withinMs(1_500, () => readScriptComments(script))).toEqual({ debugId: null, sourceMap: null });
});

describe('a script in pieces', () => {
  const scan = (script: Buffer, sizes: readonly number[]) => scanScriptComments(cut(script, sizes));

  test('says the same wherever it is cut', async () => {
    const script = Buffer.from(
      `//# debugId=${ID}\nrun();\n//# sourceMappingURL=old.map\nx = "//# sourceMappingURL=no.map";\n//# sourceMappingURL=app.js.map\n`,
    );
    for (let at = 1; at < script.length; at++) {
      expect(await scan(script, [at])).toEqual({ debugId: ID, sourceMap: 'app.js.map' });
    }
    expect(await scan(script, Array(script.length).fill(1))).toEqual({
      debugId: ID,
      sourceMap: 'app.js.map',
    });
  });

  test('has comments far from its end, and addresses as long as they may be', async () => {
    const address = `${'a'.repeat(4_090)}.map`;
    const script = Buffer.from(`\n//# sourceMappingURL=${address}\n${'x'.repeat(100_000)}`);
    expect((await scan(script, [1_000, 3_000, 100, 5_000])).sourceMap).toBe(address);
    const inline = Buffer.from(`x;\n//# sourceMappingURL=data:application/json;base64,${'A'.repeat(50_000)}`);
    expect((await scan(inline, [10, 10_000, 10_000])).sourceMap).toBe('data:');
  });

  test('has none where a piece begins within a line', async () => {
    const mark = '//# sourceMappingURL=no.map';
    const script = Buffer.from(`${'x'.repeat(10_000)}${mark}`);
    for (let at = 9_900; at <= 10_000; at++) expect((await scan(script, [at])).sourceMap).toBeNull();
    // The end that is kept of one piece begins with the mark.
    const long = Buffer.from(`${'x'.repeat(5_000)}${mark}${'x'.repeat(6_000)}`);
    for (let at = 9_190; at < 9_200; at++) expect((await scan(long, [at])).sourceMap).toBeNull();
  });
});

/** What is left after the last size is one piece more. */
async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const size of sizes) {
    yield bytes.subarray(from, from + size);
    from += size;
  }
  yield bytes.subarray(from);
}
