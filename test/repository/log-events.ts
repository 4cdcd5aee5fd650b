/**
 * Collects the log events of the source with the TypeScript parser: name, level and fields of `log.warn('name', { field
 * })`.
 */

import ts from 'typescript';
import type { SourceFile } from './source-files.ts';

export type LogEvent = { readonly event: string; readonly level: string; readonly fields: readonly string[] };

const levels = ['debug', 'info', 'warn', 'error'];

/** Events sorted by name. An event that is logged in several places has the fields of all of them. */
export function logEvents(files: readonly SourceFile[]): readonly LogEvent[] {
  const functions = sharedFunctions(files);
  const found = new Map<string, { readonly level: string; readonly fields: Set<string> }>();
  const add = (event: string, level: string, fields: readonly string[]) => {
    const known = found.get(event) ?? { level, fields: new Set() };
    if (known.level !== level) throw new Error(`${event} is logged as ${known.level} and as ${level}`);
    for (const field of fields) known.fields.add(field);
    found.set(event, known);
  };
  for (const { path, text } of files) {
    if (!/\blog\??\.(?:debug|info|warn|error)\(|level: '\w+', event: '/.test(text)) continue;
    const source = parse(path, text);
    const fieldsOf = fieldReader(source, functions);
    visit(source, (node) => {
      const written = writtenObject(node);
      if (written !== undefined) add(written.event, written.level, written.fields);
      const call = logCall(node);
      if (call === undefined) return;
      for (const event of eventNames(call.name, source)) add(event, call.level, fieldsOf(call.fields));
    });
  }
  return [...found]
    .map(([event, { level, fields }]) => ({ event, level, fields: [...fields] }))
    .sort((one, other) => (one.event < other.event ? -1 : 1));
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}

function logCall(node: ts.Node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name: level, expression: logger } = node.expression;
  const [name, fields] = node.arguments;
  if (!levels.includes(level.text) || !/\blog$/.test(logger.getText()) || name === undefined) return undefined;
  return { level: level.text, name, fields };
}

/**
 * An object that is written without the logger: `{ time, level: 'warn', event: 'log.dropped' }`. Every line has the
 * fields of its spreads.
 */
function writtenObject(node: ts.Node): LogEvent | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const textOf = (name: string) => {
    const property = node.properties.find((each) => each.name?.getText() === name);
    return property !== undefined && ts.isPropertyAssignment(property) && ts.isStringLiteral(property.initializer)
      ? property.initializer.text
      : undefined;
  };
  const [level, event] = [textOf('level'), textOf('event')];
  if (level === undefined || event === undefined) return undefined;
  const names = node.properties.flatMap((property) => property.name?.getText() ?? []);
  return { level, event, fields: names.filter((name) => !['time', 'level', 'event'].includes(name)) };
}

/** The literal, or every literal that callers of the surrounding function pass as this parameter. */
function eventNames(name: ts.Expression, source: ts.SourceFile): readonly string[] {
  if (ts.isStringLiteral(name)) return [name.text];
  const names = new Set<string>();
  visit(source, (node) => {
    if (!isFunction(node) || name.getStart() < node.getStart() || name.getEnd() > node.getEnd()) return;
    const at = node.parameters.findIndex((parameter) => parameter.name.getText() === name.getText());
    if (at < 0) return;
    visit(source, (call) => {
      if (!ts.isCallExpression(call) || call.expression.getText() !== functionName(node)) return;
      const given = call.arguments[at];
      if (given !== undefined && ts.isStringLiteral(given)) names.add(given.text);
    });
  });
  if (names.size === 0) throw new Error(`${source.fileName}: the log event ${name.getText()} has no literal name`);
  return [...names];
}

type AnyFunction = ts.FunctionDeclaration | ts.ArrowFunction;

function isFunction(node: ts.Node): node is AnyFunction {
  return ts.isFunctionDeclaration(node) || ts.isArrowFunction(node);
}

function functionName(node: AnyFunction): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : undefined;
}

/** Functions that return the fields of an error and have callers in several files. */
function sharedFunctions(files: readonly SourceFile[]): ReadonlyMap<string, AnyFunction> {
  const found = new Map<string, AnyFunction>();
  for (const { path, text } of files)
    if (/^export function errorPlace\(/m.test(text))
      visit(parse(path, text), (node) => {
        const name = isFunction(node) ? functionName(node) : undefined;
        if (isFunction(node) && name !== undefined) found.set(name, node);
      });
  return found;
}

/** Reads field names from object literals, spreads, conditions, constants and calls of functions that return fields. */
function fieldReader(source: ts.SourceFile, shared: ReadonlyMap<string, AnyFunction>) {
  const declared = (name: string) => {
    const nodes: ts.Node[] = [];
    visit(source, (node) => {
      if (isFunction(node) && functionName(node) === name) nodes.push(node);
      if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer !== undefined)
        nodes.push(node.initializer);
    });
    return nodes.find(isFunction) ?? nodes[0] ?? shared.get(name);
  };
  const read = (node: ts.Node | undefined): readonly string[] => {
    if (node === undefined) return [];
    if (ts.isParenthesizedExpression(node)) return read(node.expression);
    if (ts.isConditionalExpression(node)) return [...read(node.whenTrue), ...read(node.whenFalse)];
    if (ts.isObjectLiteralExpression(node))
      return node.properties.flatMap((property) =>
        ts.isSpreadAssignment(property) ? read(property.expression) : (property.name?.getText() ?? []),
      );
    if (isFunction(node)) return returned(node).flatMap(read);
    const name = ts.isCallExpression(node) ? node.expression.getText() : ts.isIdentifier(node) ? node.text : undefined;
    const found = name === undefined ? undefined : declared(name);
    if (found === undefined || found === node)
      throw new Error(`${source.fileName}: the fields of ${node.getText()} are unknown`);
    return read(found);
  };
  return read;
}

function returned(node: AnyFunction): readonly ts.Node[] {
  const { body } = node;
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body];
  const found: ts.Node[] = [];
  visit(body, (each) => {
    if (ts.isReturnStatement(each) && each.expression !== undefined) found.push(each.expression);
  });
  return found;
}
