// The sounds of a table, synthesised when they are played: a card, a deal, the user's turn, a win.
let audio = null;

/** A rustle, such as of a card that is put down. */
function rustle(at, volume = 0.25) {
  const length = 0.07;
  const noise = new AudioBuffer({ length: Math.ceil(audio.sampleRate * length), sampleRate: audio.sampleRate });
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (2 * Math.random() - 1) * (1 - i / samples.length) ** 3;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: 2200, Q: 0.7 })).connect(new GainNode(audio, { gain: volume })).connect(audio.destination);
  source.start(at);
}

/** A soft note. */
function note(at, frequency, length = 0.3) {
  const tone = new OscillatorNode(audio, { type: "sine", frequency });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.14, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}

const SOUNDS = {
  card: (now) => rustle(now),
  deal: (now) => [0, 0.09, 0.18, 0.27].forEach((delay) => rustle(now + delay, 0.18)),
  turn: (now) => (note(now, 660), note(now + 0.13, 880)),
  win: (now) => [523, 659, 784, 1047].forEach((frequency, index) => note(now + 0.14 * index, frequency, 0.5)),
};

/** Play a sound by its name. */
export function play(name) {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  SOUNDS[name](audio.currentTime + 0.01);
}
