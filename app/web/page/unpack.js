// The program, from its letters to a module that the browser can run. This begins before the rest of the page is
// read, and what is unpacked is compiled while more of it comes.
'use strict';

const bytesOf = (base64) => {
  const letters = atob(base64), bytes = new Uint8Array(letters.length);
  for (let n = 0; n < letters.length; ++n) bytes[n] = letters.charCodeAt(n);
  return bytes;
};
const unpacked = (base64) => new Response(
    new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('gzip')),
    {headers: {'Content-Type': 'application/wasm'}});
const compiled = (base64) => {
  const code = WebAssembly.compileStreaming(unpacked(base64));
  code.catch(() => {});  // whoever opens the program is told
  return code;
};
