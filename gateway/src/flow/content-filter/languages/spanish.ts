/** Spanish, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const spanish: Language = {
  language: 'es',
  word: 'palabra',
  secret:
    'frase semilla, frases semilla, frase de semilla, frase de recuperación, frases de recuperación, frase secreta, frase secreta de recuperación, frase de seguridad, frase de respaldo, frase mnemónica, frase mnemotécnica, frase seed, semilla de tu billetera, semilla de la billetera, semilla de tu wallet, palabras semilla, palabras secretas, palabras de recuperación, palabras de respaldo, palabras de seguridad, clave privada, claves privadas, llave privada, llaves privadas, clave secreta, 12 palabras, 15 palabras, 18 palabras, 24 palabras, doce palabras, veinticuatro palabras, palabras de tu billetera, palabras de tu monedero, contraseña de tu billetera, contraseña de tu monedero, contraseña de la billetera, contraseña de tu wallet, contraseña del monedero, archivo keystore',
  ask: 'introduce, introduzca, introduzcan, introducir, introduzcas, introduciendo, ingresa, ingrese, ingresar, ingresando, ingreses, escribe, escriba, escribir, escribas, escribiendo, envía, envíe, envíanos, envíenos, enviar, enviando, manda, mande, mándanos, comparte, comparta, compartir, compartas, proporciona, proporcione, proporcionar, facilita, facilite, facilítanos, pega, pegue, pegar, copia aquí, cópiala, copia tu, copie, copiar, indica, indique, indícanos, confirma, confirme, confirmar, verifica, verifique, verificar, dinos, dime, díganos, danos, necesitamos, requerimos, pide, piden, pedir, pedimos, solicita, solicitamos, rellena, rellene, rellenar, restaura, restaurar, valida, valide, validar, sube, suba, subir, adjunta, adjunte, exporta, exporte, exportar, importa, importe, importar, teclea, foto de, captura de, revela, revele, exige, sincroniza, digita, completa',
  either: 'confirma, confirme, verifica, verifique, escribe, escriba, copie',
  need: 'requerida, requerido, requiere, se requiere, requieren, se necesita, necesaria, necesario, obligatoria, obligatorio, aquí, abajo, a continuación, por favor, falta, hace falta',
  what: 'cuál es, cuáles son, cual es',
  yours: 'tu, tus, su, sus, de la cuenta, de tu',
  and: 'y, e, luego, pero',
  deny: 'no, nunca, jamás, nadie, ni, sin, ningún, ninguna, ninguno, tampoco, en vez de, en lugar de, bajo ninguna circunstancia',
  keep: 'guard*, guarda, guarde, protege, protej*, anot*, apunt*, almacen*, conserv*, perd*, pierd*, robad*, robo, filtrad*, seguro, lugar seguro, fuera de línea, en papel, sale, permanece, respald*, copia de, tener copia, copia de seguridad, es un, es la, es una, única forma, controla, se firma',
  warned:
    'si alguien, alguien, quien, quienes, cualquiera que, todo el que, una web que, un sitio que, si un sitio, si una web, estafa*, estafador*, fraude*, fraudulent*, ladron*, phishing, desconfía, desconfíe, cuidado con, falso*, falsas, se hacen pasar, se hace pasar',
  fraud: 'es una estafa, es un estafador, es un fraude, es fraude, son estafadores, son estafas, es phishing',
  filler:
    'usted, tú, te, le, les, la, lo, las, los, el, un, una, de, del, en, para, por, con, que, se, y, o, a, al, mi, me, nos, nosotros, es, billetera, monedero, wallet, cuenta, todas, todos, primero, ahora, completa, doce, hace',
  override:
    'ignora, ignore, ignorad, ignorar, ignoren, olvida, olvide, olvidad, olvidar, omite, omita, desestima, descarta, descarte, haz caso omiso, haga caso omiso, hacer caso omiso, no sigas, no siga, no hagas caso, pasa por alto, deja de seguir',
  rules:
    'instrucciones, instrucción, indicaciones, indicación, reglas, regla, normas, directrices, consignas, prompts, restricciones, lo anterior, todo lo anterior, lo que te dijeron, comandos, tus instrucciones, instrucciones del sistema',
  former:
    'todas, todos, anterior, anteriores, previas, previos, previa, precedentes, originales, iniciales, arriba, de arriba, tus, del sistema, sus, dadas, de seguridad, tus instrucciones, instrucciones del sistema',
  may: 'puedes, puede, pueden, podrá, podría, podrías, si usted, el cliente',
  model:
    'ia, inteligencia artificial, agente de ia, agentes de ia, asistente de ia, asistentes de ia, modelo de ia, modelos de ia, modelo de lenguaje, modelos de lenguaje, agente ia, agentes ia, bot de ia',
  agent: 'agente, agentes, asistente, asistentes, bot, bots, modelo',
  address:
    'atención, nota para, nota a, aviso para, aviso a, mensaje para, mensaje a, instrucción para, instrucciones para, si eres, si usted es, como, querido, querida, estimado, hola, a todos, a los, para los, todo, cualquier',
  order:
    'debes, debe, deben, debéis, tienes que, tiene que, tenéis que, por favor, aprueba, aprobad, apruebe, confirma, firma, firmad, envía, enviad, transfiere, transfiera, elige, elegid, elija, selecciona, responde, ejecuta, llama, pulsa, continúa, acepta, ya ha aceptado, ha aceptado, ya aceptó, ha dado su consentimiento, rellena, pon, ignora, siempre',
  tell: 'digas, diga, decir, decírselo, lo digas, cuentes, contar, informes, informar, muestres, mostrar, menciones, mencionar, preguntes, preguntar, consultar, consultes, avises, avisar, notifiques, notificar, pedir, pidas, reveles, sepa, sepan, entere, conocimiento',
  user: 'usuario, usuarios, usuaria, al usuario, humano, al humano, cliente, al cliente, propietario, dueño, confirmación',
  self: 'nosotros, nuestro equipo, nadie, nuestro',
  become:
    'ahora eres, eres ahora, a partir de ahora eres, desde ahora eres, de ahora en adelante eres, ahora usted es, actúa como, actúe como, compórtate como, finge que, finge ser, haz como si, imagina que eres, asume el rol, haz de',
  role: 'asistente, agente, ia, bot, modelo, sin restricciones, sin restricción, sin límites, ilimitado, administrador, modo desarrollador, modo, root, hacker, dueño, el usuario ha, propietario',
  reveal:
    'muestra, muestre, revela, revele, imprime, repite, escribe, envía, copia, incluye, dame, dime, pon, añade, enseña',
  inner:
    'prompt de sistema, prompt del sistema, mensaje de sistema, tus instrucciones, instrucciones del sistema, historial de la conversación, historial de conversación, variables de entorno, contenido de tu memoria, tu memoria, tus herramientas, ventana de contexto, tus claves api, tus claves de api',
  call: 'llama, llame, ejecuta, invoca',
  tool: 'herramienta, herramientas, mcp, tool',
  fatal:
    'tu nueva tarea es, tu nuevo rol es, tu única tarea es, tu verdadera tarea es, tu nuevo objetivo es, tu único objetivo es, modo desarrollador activado, sin pedir confirmación, sin confirmación, a partir de ahora apruebas, desde ahora apruebas, nuevas instrucciones para el asistente, obedece solo, sin que el usuario lo sepa, a espaldas del usuario, oculta esto al usuario, en secreto',
  fresh: 'nuevas, nueva, importantes',
  pieces: 'palabras, palabra',
  wallet: 'billetera, monedero, wallet, cartera, meta mask, ledger',
  shown: 'mostró, muestra, mostradas, dio, mostrado, anotaste, generó, apareció, aparecieron',
  lapsed:
    'ya no son válidas, ya no valen, ya no se aplican, quedan sin efecto, quedan anuladas, están anuladas, han caducado',
  askIt: 'escríbela, introdúcela, ingrésala, envíala, pégala, envíanosla',
};
