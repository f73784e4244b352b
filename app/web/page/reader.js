// The reader beside the picture: what the program says of itself as headings, a live sentence, form
// fields and tables. It is made anew where it changed, and never while somebody is busy in it.
'use strict';

const reader = {now: null, words: {}, layouts: {}, commands: [], made: {}, table: '', judged: {step: '', all: []}};

const by = (id) => document.getElementById(id);
const made = (tag, attributes = {}, ...inside) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...inside.filter((part) => part !== null && part !== ''));
  return element;
};
const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };

reader.explain = (text) => say(by('said-beside'), text);
reader.run = (...commands) => {
  try {
    for (const command of commands) program.ask('kv_do', command);
  } catch (refused) {
    reader.explain(refused.message);
  }
  wake();
};

// What the reader says now, with the table that was chosen of the panel in focus.
reader.ask = () => program.askJson('kv_reader', reader.table);

const spanOf = (span) => {
  if (span.does && span.does.length)
    return made('a', {href: '#picture', onclick: (event) => { event.preventDefault(); reader.run(...span.does); }}, span.text);
  return span.value ? made('strong', {title: span.behind || null}, span.text) : document.createTextNode(span.text);
};

// What may be wider than the page scrolls in a box of its own, by keys as well.
const wide = (label, table) => made('div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': label}, table);

// Bullets that follow each other are one list, rows one table.
const proseOf = (prose) => {
  const out = [];
  for (const block of prose || []) {
    const cells = block.cells.map((cell) => cell.map(spanOf));
    const last = out[out.length - 1];
    if (block.kind === 'bullet') {
      const list = last && last.tagName === 'UL' ? last : out[out.push(made('ul')) - 1];
      list.append(made('li', {}, ...cells[0]));
    } else if (block.kind === 'row') {
      const old = last && last.tagName === 'DIV';
      const box = old ? last : out[out.push(wide(reader.words.step_words, made('table'))) - 1];
      box.firstChild.append(made('tr', {}, ...cells.map((cell) =>
          made(old ? 'td' : 'th', old ? {} : {scope: 'col'}, ...cell))));
    } else if (block.kind === 'code') {
      out.push(made('pre', {}, made('code', {}, ...cells[0])));
    } else {
      out.push(made('p', {}, ...cells[0]));
    }
  }
  return out;
};

const verdictOf = (asked) =>
    [asked.right ? reader.words.right : reader.words.wrong, asked.real, asked.slip, asked.note].filter(Boolean).join(' ');

// A field for a value, which is told once: at Enter, at its button, or as the field is left.
const fieldOf = (asked, button, answer) => {
  const told = () => {
    if (field.value === field.defaultValue) return;
    field.defaultValue = field.value;
    answer(null, field.value);
  };
  const field = made('input', {type: 'text', value: asked.said, autocomplete: 'off', spellcheck: 'false', onchange: told});
  const label = made('label', {}, reader.words.answer + (asked.unit ? ' (' + asked.unit + ') ' : ' '), field);
  return button ? [label, ' ', made('button', {type: 'button', onclick: told}, button)] : [label];
};

// A question with its field: choices to pick from, or a value to write.
const questionOf = (asked, name, answer) => {
  const words = reader.words;
  // A prediction is graded once; an exercise takes another answer after its verdict.
  const exercise = name.startsWith('exercise'), open = asked.right === undefined || exercise;
  const box = made('fieldset', {disabled: !open}, made('legend', {}, asked.legend), made('p', {}, asked.question));
  if (asked.givens && asked.givens.length)
    box.append(made('ul', {}, ...asked.givens.map((given) => made('li', {}, given.label + ': ' + given.value))));
  if (asked.choices.length) {
    for (const [n, choice] of asked.choices.entries())
      box.append(made('label', {class: 'choice'}, made('input', {
        type: 'radio', name, value: choice, checked: asked.said === choice, onchange: () => answer(n, choice),
      }), ' ' + choice));
  } else {
    box.append(...fieldOf(asked, exercise ? words.check : '', answer));
  }
  if (asked.hint) box.append(...(typeof asked.hint === 'string' ? [made('p', {}, asked.hint)] : proseOf(asked.hint)));
  if (asked.right === undefined) {
    box.append(made('p', {class: 'quiet'}, words.stays));
  } else {
    box.append(made('p', {}, verdictOf(asked)), ...proseOf(asked.why));
  }
  return box;
};

const lessonOf = (lesson) => {
  if (!lesson) return [];
  const words = reader.words;
  const parts = [made('h2', {}, words.step_words), ...proseOf(lesson.text)];
  for (const [n, asked] of lesson.predictions.entries())
    parts.push(questionOf(asked, 'prediction' + n,
        (choice, value) => reader.run('lesson.say ' + (n + 1) + ' ' + (choice === null ? value : choice + 1))));
  if (lesson.may_reveal)
    parts.push(made('p', {}, made('button', {type: 'button', class: 'primary', onclick: () => reader.run('lesson.reveal')}, words.reveal)));
  parts.push(...proseOf(lesson.then));
  for (const asked of lesson.exercises)
    parts.push(questionOf(asked, 'exercise' + asked.id,
        (choice, value) => reader.run('lesson.answer ' + asked.id + ' ' + value)));
  parts.push(made('p', {},
      made('button', {type: 'button', onclick: () => reader.run('lesson.previous')}, words.previous_step), ' ',
      made('button', {type: 'button', onclick: () => reader.run('lesson.next')}, words.next_step)));
  return parts;
};

// Heard as it comes, in a place that is not made anew: a verdict of the step that was open before as well.
const sayVerdicts = (lesson) => {
  const step = lesson ? lesson.number + ':' + lesson.step : '', old = reader.judged;
  const asked = lesson ? [...lesson.predictions, ...lesson.exercises].filter((one) => one.right !== undefined) : [];
  const all = asked.map((one) => one.legend + ', ' + one.said + ': ' + verdictOf(one));
  const fresh = all.filter((words) => !old.all.includes(words));
  reader.judged = {step, all};
  if (step !== old.step) say(by('verdict'), '');
  else if (fresh.length) say(by('verdict'), fresh.join(' '));
};

const tableOf = (table) => {
  const caption = table.caption, side = (n) => table.columns[n].numbers ? {class: 'number'} : {};
  const head = table.columns.map((column, n) =>
      made('th', {scope: 'col', ...side(n)}, column.name + (column.unit ? ' (' + column.unit + ')' : '')));
  const rows = table.rows.map((row) => made('tr', {}, ...row.map((cell, n) => made('td', side(n), cell))));
  return wide(caption,
      made('table', {}, made('caption', {}, caption), made('thead', {}, made('tr', {}, ...head)), made('tbody', {}, ...rows)));
};

const download = (name, bytes) => {
  const address = URL.createObjectURL(new Blob([bytes]));
  made('a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
};

const tablesOf = (shown) => {
  if (!shown) return [];
  const words = reader.words;
  const csv = () => download(shown.name.replace('/', '-') + '.csv', program.ask('kv_csv', shown.name));
  return [
    made('p', {class: 'quiet'}, words.in_focus), tableOf(shown),
    shown.cut ? made('p', {class: 'quiet'}, shown.cut) : null,
    made('p', {}, ...shown.tables.map((table) =>
        made('button', {type: 'button', onclick: () => { reader.table = table.name; reader.show(); }}, table.title))),
    made('p', {}, made('button', {type: 'button', onclick: csv}, words.tables_csv)),
    made('p', {class: 'quiet'}, words.same_as_export),
  ].filter((part) => part !== null);
};

// Somebody writes there what was not told yet, or holds a button of it down, whose click would be lost with it.
const isBusy = (place) => {
  const field = document.activeElement;
  return place.matches(':active') ||
         (place.contains(field) && field.matches('input[type=text]') && field.value !== field.defaultValue);
};

// Into `place`, where `what` is not what it was made of before, and nobody is busy there.
const remake = (name, place, what, make) => {
  const key = JSON.stringify(what);
  if (reader.made[name] === key || isBusy(place)) return;
  reader.made[name] = key;
  const stops = () => [...place.querySelectorAll('button,input,a')];
  const old = document.activeElement, at = stops().indexOf(old);
  place.replaceChildren(...make());
  // Who went by keys goes on where he or she was.
  if (at < 0) return;
  const now = stops()[at] || place;
  now.focus();
  if (old.type === 'text' && now.type === 'text') now.setSelectionRange(old.selectionStart, old.selectionEnd);
};

reader.show = () => {
  const now = reader.now = reader.ask();
  document.documentElement.dataset.theme = now.theme;
  document.title = 'KVarium: ' + now.title;
  say(by('title'), now.title);
  say(by('place'), now.place);
  say(by('now'), now.said);
  say(by('with'), now.with);
  say(by('notice'), now.notice);
  remake('lesson', by('lesson'), now.lesson, () => lessonOf(now.lesson));
  sayVerdicts(now.lesson);
  remake('tables', by('tables'), now.table, () => tablesOf(now.table));
  remake('shelf', by('lessons').querySelector('ul'), now.shelf, () => now.shelf.map((row) =>
      made('li', {}, made('button', {type: 'button', onclick: () => reader.run('lesson.open ' + row.number)}, row.title))));
  for (const button of by('layouts').children)
    button.setAttribute('aria-pressed', String(button.dataset.layout === now.layout));
  say(by('transport').children[1], now.playing ? reader.words.pause : reader.words.play);
};

// One entry for every command; one that takes a value has a field for it.
const menuOf = () => reader.commands.map((row) => {
  const field = row.asks ? made('input', {type: 'text', 'aria-label': row.label + ': ' + reader.words.value}) : null;
  const act = () => reader.run(row.id + (field ? ' ' + field.value : ''));
  return made('li', {}, made('button', {type: 'button', title: row.help, onclick: act},
      row.label + (row.key ? ' (' + row.key + ')' : '')), field);
});

reader.begin = () => {
  Object.assign(reader, program.askJson('kv_words'));
  const words = reader.words;
  say(by('skip'), words.skip);
  say(by('commands'), words.commands);
  say(by('copy-link'), words.copy_link);
  by('picture').setAttribute('aria-label', words.picture);
  say(by('lessons').firstElementChild, words.lessons);
  say(by('menu').firstElementChild, words.menu);
  say(by('open-label').firstElementChild, words.open_file);
  say(by('forget'), words.forget);
  for (const name of ['learn', 'explore', 'present', 'compare']) {
    by('layouts').append(made('button', {type: 'button', 'data-layout': name, onclick: () => reader.run('layout.' + name)},
        reader.layouts[name]));
  }
  for (const button of by('transport').children) {
    say(button, {'run.back': words.back, 'run.play': words.play, 'run.forward': words.forward}[button.dataset.do]);
    button.addEventListener('click', () => reader.run(button.dataset.do));
  }
  by('menu').querySelector('ul').append(...menuOf());
  by('commands').addEventListener('click', () => { by('menu').open = true; by('menu').firstElementChild.focus(); });
  by('forget').addEventListener('click', () => { store.forget(program.module.FS); store.off = true; reader.explain(words.forgotten); });
  // What was not made anew while somebody was busy there.
  by('reader').addEventListener('focusout', wake);
  document.addEventListener('pointerup', wake);
  for (const id of ['bar', 'reader', 'transport']) by(id).hidden = false;
};
