import { Button, FileButton } from '@mantine/core';
import { type JSX, useState } from 'react';
import css from './playground.module.css';

type Props = {
  /** Of the message, for screen readers; from 1. */
  readonly place: number;
  /** Data URLs. */
  readonly images: readonly string[];
  readonly onChange: (images: string[] | undefined) => void;
};

const TYPES = 'image/png,image/jpeg,image/webp,image/gif';
const MAX_BYTES = 2_000_000;

/** The images of a message, which are sent with its text. */
export function MessageImages({ place, images, onChange }: Props): JSX.Element {
  const [error, setError] = useState<string | null>(null);
  const add = async (files: readonly File[]): Promise<void> => {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const known = images.reduce((sum, { length }) => sum + (length * 3) / 4, 0);
    if (bytes + known > MAX_BYTES) return setError('Images may have 2 MB together; choose smaller ones');
    setError(null);
    onChange([...images, ...(await Promise.all(files.map(dataUrlOf)))]);
  };
  const remove = (at: number): void => {
    const left = images.filter((_, i) => i !== at);
    onChange(left.length === 0 ? undefined : left);
  };
  return (
    <div className={css.images}>
      {images.map((url, i) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: an image is its place
          key={i}
          type="button"
          title="Remove this image"
          aria-label={`Remove image ${i + 1} of message ${place}`}
          onClick={() => remove(i)}
        >
          <img src={url} alt={`Attachment ${i + 1}`} />
        </button>
      ))}
      <FileButton accept={TYPES} multiple onChange={(files) => void add(files)}>
        {(props) => (
          <Button {...props} size="compact-xs" variant="subtle" aria-label={`Add image to message ${place}`}>
            Add image
          </Button>
        )}
      </FileButton>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </div>
  );
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
