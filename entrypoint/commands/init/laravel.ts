/** The settings that Laravel needs to be served from a checkout without .env. Pure. */
import type { Repository } from './repository.ts'

/** 32 bytes. Laravel encrypts cookies with it; production has its own. */
const KEY = Buffer.from('async-php-bench-not-a-secret-key').toString('base64')

export const LARAVEL_ENV = `env: { APP_KEY: "base64:${KEY}" }   # for measuring only: a checkout has no .env`

export function laravelSetup({ texts }: Repository): string[] {
  return [
    ...(texts('database/migrations').length ? ['php artisan migrate --force'] : []),
    'php artisan config:cache',
    'php artisan route:cache',
  ]
}
