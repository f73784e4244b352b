// Opens the program and has the ways into it. Everything else on the page goes through them, and what
// others call of it is `kvarium` (main.js).
'use strict';

const program = {module: null, written: null};

// Three ways into the program: call() with numbers, which may answer one; tell() with words, without an
// answer; and program.ask() with words and an answer, or what was refused, which it throws.
const call = (name, ...values) => program.module['_' + name](...values);
const tell = (name, ...words) =>
  program.module.ccall(name, null, words.map((word) => typeof word === 'string' ? 'string' : 'number'), words);
program.ask = (name, ...words) => {
  const answer = program.module.ccall(name, 'string', words.map(() => 'string'), words);
  if (answer.startsWith('\x01')) throw new Error(answer.slice(1));
  return answer;
};
program.askJson = (name, ...words) => JSON.parse(program.ask(name, ...words));

program.open = async (settings) => {
  const decoder = (text) => new TextDecoder().decode(new Uint8Array(text));
  const take = (which) => (byte) => {
    if (byte !== null && program.written) program.written[which].push(byte & 255);
  };
  const before = (module) => {
    const fs = module.FS;
    fs.init(() => null, take('out'), take('err'));
    for (const folder of ['/home', home, home + '/Pictures', '/link', '/dropped', '/files', '/cli'])
      if (!fs.analyzePath(folder).exists) fs.mkdir(folder);
    store.restore(fs);
    fs.chdir('/files');
  };
  const given = {preRun: [before], ...settings};
  program.module = await new Promise((open, fail) => {
    given.instantiateWasm = (imports, take) => {
      programCode.then((code) => WebAssembly.instantiate(code, imports).then((made) => take(made, code))).catch(fail);
      return {};
    };
    openKvarium(given).then(open, fail);
  });
  program.module.FS.ignorePermissions = true;  // there is one person here, and the files are theirs
  // One line at a time: the program writes to one pair of streams. A line has a folder of its own, in which
  // what it is given and what it writes lie.
  program.cli = (words, files = {}) => {
    const fs = program.module.FS, before = fs.cwd();
    fs.chdir('/cli');
    for (const [name, text] of Object.entries(files)) fs.writeFile(name, text);
    program.written = {out: [], err: []};
    try {
      const code = program.module.ccall('kv_cli', 'number', ['string'], [JSON.stringify(words.map(String))]);
      return {code, out: decoder(program.written.out), err: decoder(program.written.err)};
    } finally {
      program.written = null;
      fs.chdir(before);
    }
  };
};
