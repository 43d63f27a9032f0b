<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

use AsyncPhpBench\Front\Answer;
use AsyncPhpBench\Front\Constants;
use AsyncPhpBench\Front\Ending;
use AsyncPhpBench\Front\GlobalVariables;
use AsyncPhpBench\Front\Input;
use AsyncPhpBench\Front\Run;
use AsyncPhpBench\Front\Session;
use AsyncPhpBench\Front\Superglobals;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;

/**
 * A script such as public/index.php, run again for each request by a process that lives on. PHP-FPM does not need it:
 * there the web server names the script.
 *
 * New for each request: superglobals, php://input, output, headers, cookies, sessions, exit, shutdown functions,
 * uncaught exceptions, error handlers. Loaded code, declarations and settings stay in the process.
 */
final class FrontScript implements Adapter
{
    private readonly Superglobals $superglobals;

    private bool $hasServed = false;

    private bool $isChecked = false;

    /** @param string $project root of the app's files */
    public function __construct(private readonly string $script, private readonly string $project)
    {
        $this->superglobals = new Superglobals($script, getenv());
    }

    /** @throws AppError if PHP would discard what header() and similar functions send */
    public function boot(): void
    {
        if (function_exists('header') && (new \ReflectionFunction('header'))->isInternal()) {
            throw new AppError(
                'A front script cannot run in this runtime: PHP on the command line discards what header(), setcookie() and'
                . ' session_start() send. Its runtime.yml must start PHP with {front-functions}.',
            );
        }
        require_once __DIR__ . '/../../functions.php';
    }

    public function handle(Request $request): Response
    {
        $this->hasServed = true;
        $timeLimit = (int) ini_get('max_execution_time');
        $answer = Answer::begin();
        $this->superglobals->fill($request);
        $session = Session::begin($request->cookies);
        // As in PHP, the script cannot read the body of a form with files.
        Input::provide($request->files === [] ? $request->body : '');
        chdir(dirname($this->script));
        Constants::allowAgain();

        $body = $this->output();

        $session->end();
        Run::beforeHeaders();
        Run::dropHandlers();
        Input::withdraw();
        Superglobals::clear();
        if ((int) ini_get('max_execution_time') !== $timeLimit) {
            // The script's own limit would otherwise stay in force for the whole process.
            set_time_limit($timeLimit);
        }

        return $answer->response($body);
    }

    public function worksAfterAnswer(): bool
    {
        return false;
    }

    public function finish(): void
    {
        // The built-in paths call finish(), too.
        if (!$this->hasServed || $this->isChecked) {
            return;
        }
        $this->isChecked = true;
        // Preflight shows the log beside a wrong answer.
        $sentence = GlobalVariables::expectedBy(get_included_files(), $this->project);
        if ($sentence !== null) {
            error_log($sentence);
        }
    }

    /** Runs the script and its shutdown functions. Returns their output. */
    private function output(): string
    {
        $level = ob_get_level();
        $text = '';
        ob_start(static function (string $chunk, int $phase) use (&$text): string {
            $text .= ($phase & PHP_OUTPUT_HANDLER_CLEAN) === 0 ? $chunk : '';
            // On an error that nothing can catch, output handlers are the last code that PHP calls.
            $death = Ending::ofSecondInclude();
            if ($death !== null) {
                error_log($death);
            }

            return '';
        });
        Run::script($this->script);
        if (ob_get_level() <= $level) {
            error_log("$this->script closed output buffers that it had not opened. Its later output is lost in this runtime.");
        }
        while (ob_get_level() > $level) {
            ob_end_flush();
        }

        return $text;
    }
}
