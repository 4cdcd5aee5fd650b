/**
 * The certificate that clients get. It is replaced when its files change, and stays when the new files are unusable.
 */

import {
  type Certificate,
  type CertificateFiles,
  dateProblem,
  type LoadedCertificate,
  renewalAdvice,
} from './certificate.ts';

export type RenewalReport = {
  readonly replaced: (certificate: Certificate) => void;
  /** The files cannot be used, and the current certificate stays. Reported once for each problem. */
  readonly refused: (problem: string) => void;
  /** The certificate expires soon and was not renewed. Reported once a day. */
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

  /** Checks the files. Never rejects. */
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

  /** Reported at the second check: the two files are written one after the other and may be read in between. */
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
