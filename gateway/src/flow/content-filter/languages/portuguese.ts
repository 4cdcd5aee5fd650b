/** Portuguese, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const portuguese: Language = {
  language: 'pt',
  word: 'palavra',
  secret:
    'frase semente, frase de semente, frase de recuperação, frases de recuperação, frase secreta, frase secreta de recuperação, frase de segurança, frase mnemônica, frase de backup, frase seed, palavras semente, palavras de recuperação, palavras secretas, palavras de backup, chave privada, chaves privadas, chave secreta, 12 palavras, 15 palavras, 18 palavras, 24 palavras, doze palavras, vinte e quatro palavras, palavras da sua carteira, palavras da carteira, senha da sua carteira, senha da carteira, arquivo keystore',
  ask: 'digite, digita, digitar, digitando, insira, inserir, informe, informar, forneça, fornecer, fornece, compartilhe, compartilhar, partilhe, partilhar, cole, colar, envie, enviar, envia, mande, mandar, escreva, escrever, confirme, confirmar, verifique, verificar, copie, copiar, precisamos, necessitamos, pede, pedem, pedir, peça, pediremos, solicita, solicitamos, exige, preencha, preencher, restaure, restaurar, valide, validar, importe, importar, exporte, exportar, revele, revelar, diga, diga nos, anexe, foto da, foto de, passe, introduza, sincronize, carregue, indique',
  either: 'confirme, verifique, escreva, copie, anote',
  need: 'necessária, necessário, obrigatória, obrigatório, exigida, requerida, é preciso, precisa, aqui, abaixo, por favor, falta',
  what: 'qual é, quais são, qual e',
  yours: 'sua, suas, seu, seus, tua, tuas, da conta',
  and: 'e, depois, mas',
  deny: 'não, nunca, jamais, ninguém, nem, sem, nenhum, nenhuma, em vez de, em hipótese alguma',
  keep: 'guard*, anot*, proteg*, protej*, armazen*, conserv*, perd*, perca, roubad*, vazad*, seguro, local seguro, em papel, fora da internet, fica, permanece, cópia de, backup da, é a, é um, é uma, única forma, controla',
  warned:
    'se alguém, alguém, quem, qualquer um que, um site que, se um site, golpe*, golpista*, fraude*, ladr*, phishing, desconfie, cuidado com, falso*, fingem',
  fraud: 'é golpe, é um golpe, é golpista, é fraude, são golpistas, são golpes',
  filler:
    'você, te, lhe, a, o, as, os, um, uma, de, da, do, das, dos, em, na, no, para, por, com, que, e, ou, carteira, conta, todas, todos, agora, primeiro, doze, nossa, equipe',
  override:
    'ignore, ignora, ignorem, ignorar, esqueça, esquece, esquecer, desconsidere, desconsiderar, desconsidera, descarte, não siga, deixe de seguir, pule',
  rules:
    'instruções, instrução, regras, regra, diretrizes, orientações, prompts, restrições, comandos, tudo acima, tudo o que foi dito, o que foi dito, suas instruções, instruções do sistema',
  former:
    'todas, todos, anterior, anteriores, prévias, precedentes, originais, iniciais, acima, suas, tuas, do sistema, de segurança, suas instruções, instruções do sistema',
  may: 'pode, podem, poderá, poderia, se você',
  model:
    'ia, inteligência artificial, agente de ia, agentes de ia, assistente de ia, assistentes de ia, modelo de ia, modelo de linguagem, modelos de linguagem, modelo de língua',
  agent: 'agente, agentes, assistente, assistentes, bot, bots, robô',
  address:
    'atenção, nota para, aviso para, mensagem para, instrução para, instruções para, se você é, se você for, como, caro, cara, olá, prezado, a todos, aos, para os, qualquer',
  order:
    'deve, devem, deves, precisa, tem que, por favor, aprove, aprovar, confirme, assine, envie, transfira, escolha, selecione, responda, execute, chame, clique, continue, aceite, já aceitou, já concordou, já consentiu, preencha, ignore, sempre',
  tell: 'conte, contar, diga, dizer, informe, informar, mostre, mostrar, mencione, mencionar, pergunte, perguntar, avise, avisar, notifique, notificar, consulte, consultar, revele, pedir, saiba, saber, perceba',
  user: 'usuário, usuários, ao usuário, o usuário, utilizador, ao utilizador, humano, cliente, ao cliente, dono, proprietário, confirmação',
  self: 'nós, nossa equipe, ninguém',
  become:
    'agora você é, você agora é, você é agora, a partir de agora você é, de agora em diante você é, aja como, atue como, comporte se como, finja que, finja ser, imagine que você é, assuma o papel',
  role: 'assistente, agente, ia, bot, robô, modelo, sem restrições, sem restrição, sem limites, ilimitado, administrador, modo desenvolvedor, modo, root, hacker, dono, o usuário já',
  reveal: 'mostre, revele, imprima, repita, exiba, escreva, envie, copie, inclua, liste, coloque',
  inner:
    'prompt do sistema, prompt de sistema, suas instruções, instruções do sistema, histórico da conversa, variáveis de ambiente, sua memória, suas ferramentas, janela de contexto, suas chaves de api',
  call: 'chame, execute, invoque',
  tool: 'ferramenta, ferramentas, mcp, tool',
  fatal:
    'sua nova tarefa é, seu novo papel é, sua única tarefa é, seu novo objetivo é, modo desenvolvedor ativado, sem pedir confirmação, sem confirmação, a partir de agora você aprova, novas instruções para o assistente, sem que o usuário saiba, esconda isso do usuário, em segredo',
  fresh: 'novas, nova',
  pieces: 'palavras, palavra',
  wallet: 'carteira, wallet, meta mask',
  shown: 'mostrou, mostradas, exibiu, exibidas, anotou, gerou, deu',
  lapsed: 'não são mais válidas, já não valem, não se aplicam mais, foram canceladas, ficam sem efeito',
};
