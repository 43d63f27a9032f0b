/** A conversation with a process inside a container. */
import { Conversation } from '../../../system/conversation.ts'
import { command, surroundings } from '../daemon/docker.ts'

/** The line that ends an answer. */
export const END = '.'

/** @param args arguments of docker: `exec -i …` or `run -i …` */
export function converse(args: readonly string[]): Conversation {
  return new Conversation(command(args), surroundings(), { name: 'A container', end: /^\.\n/m })
}
