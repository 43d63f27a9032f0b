/** The settings for serving Laravel from a checkout without .env. Pure. */
import type { Repository } from './repository.ts'

/** A key of 32 bytes, with which Laravel encrypts cookies. Production has its own. */
const KEY = Buffer.from('async-php-bench-not-a-secret-key').toString('base64')

export const LARAVEL_ENV = `env: { APP_KEY: "base64:${KEY}" }   # for measuring only: a checkout has no .env`

export function laravelSetup({ texts }: Repository): string[] {
  return [
    ...(texts('database/migrations').length ? ['php artisan migrate --force'] : []),
    'php artisan config:cache',
    'php artisan route:cache',
  ]
}
