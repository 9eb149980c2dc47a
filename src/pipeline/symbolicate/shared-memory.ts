/** The same numbers in memory that every thread may read, which is handed on without a copy. */
export function toSharedMemory<Numbers extends Uint8Array | Uint32Array>(numbers: Numbers): Numbers {
  const { buffer, byteOffset, byteLength } = numbers;
  const shared = new SharedArrayBuffer(byteLength);
  new Uint8Array(shared).set(new Uint8Array(buffer, byteOffset, byteLength));
  return new (numbers.constructor as new (memory: SharedArrayBuffer) => Numbers)(shared);
}
