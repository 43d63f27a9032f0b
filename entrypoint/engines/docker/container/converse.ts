/** A conversation with a process inside a container. */
import { Conversation } from '../../../system/conversation.ts'
import { command, surroundings } from '../daemon/docker.ts'

/** What an answer ends with, on a line of its own. */
export const END = '.'

/** @param args of docker: `exec -i …` or `run -i …` */
export function converse(args: readonly string[]): Conversation {
  return new Conversation(command(args), surroundings(), { name: 'A container', end: /^\.\n/m })
}
