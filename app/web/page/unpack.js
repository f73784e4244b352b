// The program, from its letters to a module that the browser can run. This begins before the rest of the page is
// read, and what is unpacked is compiled while more of it comes.
'use strict';

// What pack.py made of the bytes: a letter for two of them, or its ESCAPE and a letter with the bit OTHER turned.
const hardComes = 1, turnedBit = 0x4000;
const bytesOf = (letters, size) => {
  const pairs = new Uint16Array(Math.ceil(size / 2));
  for (let n = 0, at = 0; n < pairs.length; ++n, ++at) {
    const letter = letters.charCodeAt(at);
    pairs[n] = letter === hardComes ? letters.charCodeAt(++at) ^ turnedBit : letter;
  }
  return new Uint8Array(pairs.buffer, 0, size);
};
const unpacked = (letters, size) => new Response(
    new Blob([bytesOf(letters, size)]).stream().pipeThrough(new DecompressionStream('gzip')),
    {headers: {'Content-Type': 'application/wasm'}});
const compiled = (letters, size) => {
  const code = WebAssembly.compileStreaming(unpacked(letters, size));
  code.catch(() => {});  // whoever opens the program is told
  return code;
};
