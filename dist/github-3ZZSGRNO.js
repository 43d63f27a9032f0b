import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  context,
  getOctokit
} from "./chunk-FQYQZTQN.js";
import "./chunk-4SMVGCON.js";
import "./chunk-LQK3ML4U.js";
export {
  context,
  getOctokit
};
