/** The certificate that callers are shown: replaced when its files change, kept when what they hold then is of no use. */

import {
  type Certificate,
  type CertificateFiles,
  dateProblem,
  type LoadedCertificate,
  renewalAdvice,
} from './certificate.ts';

export type RenewalReport = {
  readonly replaced: (certificate: Certificate) => void;
  /** What the files hold cannot be used: the one before stays. Told once for each such content. */
  readonly refused: (problem: string) => void;
  /** It expires soon, and no one has renewed it. Told once a day. */
  readonly expiring: (advice: string) => void;
};

export type RenewalOptions = {
  readonly files: CertificateFiles;
  readonly load: (files: CertificateFiles) => Promise<LoadedCertificate>;
  /** Wall clock, in milliseconds. */
  readonly now: () => number;
  readonly report: RenewalReport;
};

const dayMs = 86_400_000;

export class RenewedCertificate {
  #timer: Timer | undefined;
  #problem: string | undefined;
  #isReported = false;
  #advisedMs = Number.NEGATIVE_INFINITY;

  constructor(
    public current: Certificate,
    private readonly options: RenewalOptions,
  ) {}

  start(everyMs: number): void {
    this.#timer = setInterval(() => void this.look(), everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Looks at the files. Never rejects. */
  async look(): Promise<void> {
    const { files, load, now, report } = this.options;
    const loaded = await load(files);
    if (loaded.ok && loaded.certificate.cert === this.current.cert && loaded.certificate.key === this.current.key)
      this.#problem = undefined;
    else {
      const problem = loaded.ok
        ? (dateProblem(loaded.certificate, now()) ?? loaded.certificate.weakness)
        : `${loaded.problem.file} ${loaded.problem.message}`;
      if (problem !== undefined) this.#refuse(problem);
      else if (loaded.ok) {
        this.#problem = undefined;
        this.current = loaded.certificate;
        this.#advisedMs = Number.NEGATIVE_INFINITY;
        report.replaced(loaded.certificate);
      }
    }
    const advice = dateProblem(this.current, now()) ?? renewalAdvice(this.current, now());
    if (advice !== undefined && now() - this.#advisedMs >= dayMs) {
      this.#advisedMs = now();
      report.expiring(advice);
    }
  }

  /** Told at the second look: the two files are written one after the other, and may be read between. */
  #refuse(problem: string): void {
    if (problem !== this.#problem) {
      this.#problem = problem;
      this.#isReported = false;
    } else if (!this.#isReported) {
      this.#isReported = true;
      this.options.report.refused(problem);
    }
  }
}
