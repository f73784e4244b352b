// The address says which moment is shown: #lesson=8&step=3, or #scene= with a whole scene in it,
// and &layout= &theme= &only=.
'use strict';

const link = {largest: 1 << 20};  // bytes of a scene, packed and unpacked

link.tooLarge = () => new Error('The scene in the address is larger than the megabyte that a scene may have; open it as a file.');

// The bytes behind a transform, piece by piece: a megabyte can unpack to a thousand, so it stops at the piece
// that makes them more than `most`.
const through = async (bytes, transform, most) => {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw link.tooLarge();
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
};

// A scene as letters: UTF-8, deflated, in base64url, which is base64 with - and _ in place of + and /, and
// without the = that fill up the end: URLSearchParams would read + as a blank. What is larger would be refused
// by link.unpacked.
link.packed = async (text) => {
  const plain = new TextEncoder().encode(text);
  if (plain.length > link.largest) throw new Error(reader.words.link_large);
  const bytes = await through(plain, new CompressionStream('deflate'), link.largest);
  const letters = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''));
  return letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

// The way back; atob fills up the end by itself. Who made the letters may have left out the two bytes that zlib
// writes in front. They are there if the low half of the first is 8, which means deflate, and both, read as one
// number, divide by 31 (RFC 1950), such as 78 9C: 30,876 = 31 x 996.
const inflated = async (letters) => {
  const packed = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const hasZlibHead = packed.length > 2 && (packed[0] & 15) === 8 && ((packed[0] << 8) | packed[1]) % 31 === 0;
  const plain = await through(packed, new DecompressionStream(hasZlibHead ? 'deflate' : 'deflate-raw'), link.largest);
  return new TextDecoder('utf-8', {fatal: true}).decode(plain);
};

// What the browser has to say of letters that are none of these is no help to a person; what we say is a plain
// Error, and what a browser says is of a kind of its own.
link.unpacked = async (letters) => {
  if (letters.length > link.largest * 4 / 3) throw link.tooLarge();  // four letters are three bytes
  return inflated(letters).catch((wrong) => {
    throw wrong.constructor === Error ? wrong
        : new Error('The scene in the address cannot be read: letters of it are missing or changed. Copy the whole link once more.');
  });
};

// What the program is asked for; a scene is written where nothing else lies.
link.asked = async (hash, fs) => {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const ask = {commands: []};
  for (const name of ['layout', 'theme', 'only']) if (words.has(name)) ask[name] = words.get(name);
  const step = words.has('step') ? words.get('step') : null;
  if (step !== null && !/^[0-9]{1,9}$/.test(step)) throw new Error('The step in the address is no whole number; write it as in #lesson=8&step=3.');
  if (words.has('lesson')) {
    const lesson = words.get('lesson');
    if (!/^[0-9]{1,3}$/.test(lesson)) throw new Error('The lesson in the address is no whole number; write it as in #lesson=8&step=3.');
    ask.commands.push('lesson.open ' + lesson + (step === null ? '' : ':' + step));
  } else if (words.has('scene')) {
    const scene = words.get('scene');  // the name of one that comes along, or letters
    if (/^[a-z0-9-]{1,40}$/.test(scene) && fs.analyzePath('/kvarium/assets/scenes/' + scene + '.kvscene').exists)
      ask.scene = scene;
    else
      fs.writeFile(ask.scene = '/link/scene.kvscene', await link.unpacked(scene));
    if (step !== null) ask.step = Number(step);
  }
  return ask;
};

// The address, and the word of the page that says what it opens. `now`: what the reader says now.
link.now = async (now) => {
  const what = program.askJson('kv_link'), words = [];
  if (what.of === 'recording') throw new Error(reader.words.link_recording);
  if (what.of === 'lesson') words.push('lesson=' + now.lesson.number, 'step=' + now.lesson.step);
  if (what.of === 'scene') words.push('scene=' + await link.packed(program.ask('kv_scene')));
  words.push('layout=' + now.layout, 'theme=' + now.theme);
  if (now.only) words.push('only=' + now.only);
  const said = what.of !== 'scene' ? 'link_copied'
      : what.leaves_comparison_out ? 'link_alone'
      : now.lesson ? 'link_scene' : 'link_copied';
  return {address: location.href.replace(/#.*$/, '') + '#' + words.join('&'), said};
};
